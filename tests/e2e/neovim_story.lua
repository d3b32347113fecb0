-- A rule is typed wrong: its name is reported and fixed; saved, it is refuted; put right and saved, nothing is left.
local function wait(what, holds)
  if not vim.wait(30000, holds, 20) then
    io.stderr:write("there was never: " .. what .. "\n" .. vim.inspect(vim.diagnostic.get(0)) .. "\n")
    vim.cmd("cquit")
  end
end

local function found(code)
  for _, each in ipairs(vim.diagnostic.get(0)) do
    if each.code == code or (each.user_data and each.user_data.lsp.code == code) then
      return each
    end
  end
end

vim.ui.select = function(items, _, choose)
  choose(items[1])
end

vim.cmd("edit rule.rw")
wait("the server", function() return vim.lsp.get_active_clients()[1] ~= nil end)
vim.api.nvim_win_set_cursor(0, { 6, 0 })
vim.cmd("normal! 0f>lC revers(X, A)")
wait("an unknown operator", function() return found("RW109") end)
local place = found("RW109")
vim.api.nvim_win_set_cursor(0, { place.lnum + 1, place.col })
vim.lsp.buf.code_action()
wait("the fix", function()
  return vim.api.nvim_get_current_line():find("=> reverse(X, A)", 1, true)
end)
vim.cmd("write")
wait("a counterexample", function() return found("RW201") end)
io.stdout:write(found("RW201").message .. "\n")
vim.cmd("normal! 0f>lC X")
vim.cmd("write")
wait("nothing", function() return #vim.diagnostic.get(0) == 0 end)
io.stdout:write("proved\n")
vim.cmd("quitall")
