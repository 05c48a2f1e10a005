-- A user of the Neovim plug-in: asks with facts, allows a tool, stops, renames, resumes, loses the daemon; prints JSON.
vim.opt.runtimepath:append(vim.env.WB_PLUGIN)
vim.cmd('runtime plugin/wave.lua')
local wave = require('wave')
wave.setup({ cmd = { vim.env.WB_PYTHON, '-m', 'wave_bridge', '--stdio' } })
local seen, told, asked = {}, {}, {}
vim.notify = function(message) told[#told + 1] = message end
vim.ui.select = function(items, how, done)
  asked[#asked + 1] = how.prompt
  local index = how.prompt == 'Resume' and 2 or 1
  done(items[index], index)
end

local function text()
  local status = wave.status()
  return status and table.concat(vim.api.nvim_buf_get_lines(status.buffer, 0, -1, false), '\n') or ''
end

local function shows(wanted)
  return vim.wait(9000, function()
    local status = wave.status()
    return text():find(wanted, 1, true) ~= nil and not status.busy and not text():find('Wave is working', 1, true)
  end, 20)
end

vim.cmd('edit code.txt')
local space = vim.api.nvim_create_namespace('linter')
vim.diagnostic.set(space, 0, { { lnum = 0, col = 5, message = 'a word too many', severity = 1, source = 'lint' } })
vim.cmd('Wave ask @problems ' .. vim.env.WB_STREAM)
seen.streaming = vim.wait(9000, function() return text():find('every word', 1, true) and wave.status().busy end, 5)
seen.streamed = shows(vim.env.WB_STREAMED)
seen.problems = text():find('1:6 error a word too many [lint]', 1, true) ~= nil
seen.split = vim.fn.bufwinid(wave.status().buffer) ~= -1

vim.cmd('1Wave send What is this? [[{"text": "Some words."}]]')
seen.selection = shows('\nSome words.') and text():find('code.txt:1-1\n```\nsome words', 1, true) ~= nil

vim.cmd('Wave ask ' .. vim.env.WB_TOOL)
seen.allowed = shows('\nMade.') and vim.fn.filereadable('made.txt') == 1
vim.cmd('Wave ask ' .. vim.env.WB_SLOW)
vim.wait(10000, function() return wave.status().busy end, 5)
vim.cmd('Wave stop')
seen.stopped = vim.wait(9000, function() return not wave.status().busy end, 20)
vim.cmd('Wave rename From the plug-in')
seen.renamed = vim.wait(5000, function() return wave.status().title == 'From the plug-in' end, 20)

if vim.fn.has('nvim-0.11') == 1 then
  local before = vim.api.nvim_get_current_win()
  vim.cmd('new')
  vim.fn.termopen({ 'sh', '-c', [[seq 300; printf '\033]133;A\007→ \033]133;B\007make it\r\n\033]133;C\007it is\033[31m made\033[0m\r\n\033]133;D;3\007'; exec cat]] })
  local shell = vim.api.nvim_get_current_buf()
  vim.wait(10000, function()
    return table.concat(vim.api.nvim_buf_get_lines(shell, 0, -1, false), '\n'):find('it is made', 1, true)
  end, 20)
  vim.wait(500, function() return (require('wave.facts').read({ 'terminal' }).terminal or {}).exitCode == 3 end, 20)
  seen.terminal = require('wave.facts').read({ 'terminal' }).terminal
  vim.api.nvim_set_current_win(before)
  vim.cmd('Wave ask Why? @terminal [[{"text": "So."}]]')
  seen.terminal_sent = shows('\nSo.') and text():find('make it', 1, true) and text():find('it is made', 1, true) and true
end

local first = wave.status().id
vim.cmd('Wave new')
vim.wait(10000, function() return wave.status().id ~= first end, 20)
vim.cmd('Wave ask Another [[{"text": "Other answer."}]]')
shows('\nOther answer.')
vim.cmd('Wave resume')
seen.resumed = vim.wait(10000, function() return wave.status().title == 'From the plug-in' end, 20) and shows('\nMade.')

local epoch = wave.status().epoch
vim.fn.system({ vim.env.WB_PYTHON, '-c', vim.env.WB_KILL })
seen.reattached = vim.wait(9000, function() return wave.status().epoch ~= epoch end, 20)
vim.cmd('Wave ask Still there? [[{"text": "Here again."}]]')
seen.survived = shows('\nHere again.') and text():find('\nMade.', 1, true) ~= nil
seen.asked, seen.told = #asked, told
io.stdout:write('\nSEEN ' .. vim.fn.json_encode(seen) .. '\n')
vim.cmd('qa!')
