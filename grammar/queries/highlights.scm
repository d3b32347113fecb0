; Later patterns win.

(identifier) @variable

(comment) @comment
(doc_comment) @comment.documentation
(string) @string
(number) @number
(hole) @constant.builtin

[
  "+" "-" "*" "/" "%" "@" "&" "|" "^" "~" "<<" ">>"
  "<" "<=" ">" ">=" "==" "!="
  "=" "+=" "-=" "*=" "/=" "%=" "&=" "|=" "^=" "<<=" ">>="
  "=>" "<=>" "->" ".."
] @operator

[ "(" ")" "[" "]" "{" "}" ] @punctuation.bracket
[ "," ":" ";" "." "::" ] @punctuation.delimiter

[
  "rule" "lemma" "kernel" "equivalent" "graph" "operator" "refine" "loops" "transform" "lift" "import"
] @keyword

[
  "axes" "axis" "map" "int" "scalar" "tensor" "fn" "monoid" "let" "var" "shared" "array" "define"
  "private" "reduction" "using" "parallel"
  "where" "assume" "check" "over" "example" "requires" "ensures" "launch" "expect" "assert"
  "from" "of" "at" "on" "in" "step"
] @keyword

(parameter mode: _ @keyword.modifier)
[ "if" "else" "for" "while" ] @keyword.control
(return_statement) @keyword.control
((expression_statement (identifier) @keyword.control) (#any-of? @keyword.control "break" "continue"))
[ "and" "or" "not" "some" "every" "forall" ] @keyword.operator

(call callee: (identifier) @function)
(fn_item name: (identifier) @function)
(monoid_item name: (identifier) @function)
(source entry: (identifier) @function)

(type element: (identifier) @type)
(type_parameter name: (identifier) @type.parameter)
(type_parameter bound: (identifier) @type)
(check_item type: (identifier) @type)

(axis_group name: (identifier) @namespace)
(map_item on: (identifier) @namespace)
(shape_entry axis: (identifier) @namespace)
(grouped_argument name: (identifier) @namespace)
(binder on: (identifier) @namespace)
(renaming source: (identifier) @namespace)
(renaming target: (identifier) @namespace)

(parameter name: (identifier) @variable.parameter)
(keyed_argument name: (identifier) @property)
(field name: (identifier) @property)
(labelled_statement label: (identifier) @label)

(attribute "@" @attribute)
(attribute name: (identifier) @attribute)

(rule_declaration name: (identifier) @function.definition)
(kernel_declaration name: (identifier) @function.definition)
(graph_declaration name: (identifier) @function.definition)
(operator_declaration name: (identifier) @function.definition)
(loops_declaration name: (identifier) @function.definition)
(transform_declaration name: (identifier) @function.definition)
(lift_declaration name: (identifier) @function.definition)
(refine_declaration name: (identifier) @function)
(refine_declaration target: (identifier) @function)
(transform_declaration target: (identifier) @function)
(using_item name: (identifier) @function)
(equivalent_declaration left: (identifier) @function)
(equivalent_declaration right: (identifier) @function)
