[
  (body)
  (block)
  (example_item)
  (parameters)
] @fold
