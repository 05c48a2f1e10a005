-- A user of Neovim: asks, types while the answer streams, allows a tool, stops a turn, renames, resumes, and goes on when
-- the CLI and the daemon are killed; prints JSON. With WB_JOIN it only joins.
local new = vim.fn.has('nvim-0.11') == 1
local command = { vim.env.WB_PYTHON, '-m', 'wave_bridge', '--stdio' }
local id
if new then
  vim.lsp.config('wave', { cmd = command, root_dir = function(_, on_dir) on_dir(vim.fn.getcwd()) end })
  vim.lsp.enable('wave')
  vim.cmd.edit('code.txt')
  vim.wait(15000, function() local c = vim.lsp.get_clients({ name = 'wave' })[1]; return c and c.initialized end, 20)
  id = vim.lsp.get_clients({ name = 'wave' })[1].id
else
  vim.cmd('edit code.txt')
  id = vim.lsp.start_client({ name = 'wave', cmd = command, root_dir = vim.fn.getcwd() })
  vim.wait(15000, function() return vim.lsp.get_client_by_id(id).initialized end, 20)
  vim.lsp.buf_attach_client(0, id)
end

local answers = {}
vim.ui.select = function(items, options, done)
  for index, item in ipairs(items) do
    local title = type(item) == 'table' and item.title or item
    if tostring(title):find('Allow') then answers[#answers + 1] = options.prompt; return done(item, index) end
  end
  done(nil)
end
vim.fn.inputlist = function() answers[#answers + 1] = 'inputlist'; return 1 end -- before 0.9

local function run(name, argument)
  local client = vim.lsp.get_client_by_id(id)
  local parameters = { command = name, arguments = { argument } }
  local reply
  if new then reply = client:request_sync('workspace/executeCommand', parameters, 15000, 0)
  else reply = client.request_sync('workspace/executeCommand', parameters, 15000, 0) end
  assert(reply and not reply.err, vim.inspect(reply))
  return reply.result
end

local function document(uri)
  local path = vim.uri_to_fname(uri)
  local found = vim.fn.bufnr(path)
  if found == -1 then -- an editor that can't be shown documents: its user opens them
    vim.cmd('split ' .. vim.fn.fnameescape(path))
    found = vim.fn.bufnr(path)
    if not new then vim.lsp.buf_attach_client(found, id) end
  end
  return found
end

local function text(buffer) return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') end

local function idle(buffer, wanted)
  return vim.wait(20000, function()
    local all = text(buffer)
    return all:find(wanted, 1, true) and not all:find('Wave is working', 1, true)
  end, 20)
end

local seen = {}
if vim.env.WB_JOIN then
  local joined = document(run('wave.resume', { sessionId = vim.env.WB_JOIN }).uri)
  seen.joined = idle(joined, vim.env.WB_STREAMED)
  io.stdout:write('\nSEEN ' .. vim.fn.json_encode(seen) .. '\n')
  vim.cmd('qa!')
end
local asked = run('wave.ask', { text = vim.env.WB_STREAM })
local buffer
vim.wait(5000, function() return not new or vim.fn.bufnr(vim.uri_to_fname(asked.uri)) ~= -1 end, 20)
buffer = document(asked.uri)
vim.wait(500, function() return #vim.lsp.buf_get_clients(buffer) > 0 end, 20)
for _, word in ipairs({ 'typed ', 'while ', 'it ', 'streams' }) do
  local last = vim.api.nvim_buf_line_count(buffer)
  local line = vim.api.nvim_buf_get_lines(buffer, last - 1, last, false)[1]
  vim.api.nvim_buf_set_lines(buffer, last - 1, last, false, { line .. word })
  vim.wait(200)
end
seen.streamed = idle(buffer, vim.env.WB_STREAMED)
seen.draft = text(buffer):match('draft %-%->\n(.*)$')
run('wave.send', { uri = asked.uri })
seen.sent = idle(buffer, '\n\ntyped while it streams\n')
seen.spent = vim.wait(5000, function() return not text(buffer):match('draft %-%->(.*)$'):find('typed') end, 20)
run('wave.ask', { text = vim.env.WB_TOOL })
seen.allowed = vim.wait(15000, function() return vim.fn.filereadable('made.txt') == 1 end, 20)
idle(buffer, '## Wave')
run('wave.ask', { text = vim.env.WB_SLOW })
vim.wait(10000, function() return text(buffer):find('Wave is working', 1, true) end, 20)
run('wave.stop', vim.empty_dict())
seen.stopped = idle(buffer, 'aborted')
run('wave.rename', { title = 'From Neovim' })
seen.renamed = vim.wait(5000, function() return text(buffer):find('# From Neovim', 1, true) ~= nil end, 20)
-- What was asked of a process that died is refused at once, and asked again.
local function outlives(killed, words)
  vim.env.WB_KILLED = killed
  vim.fn.system({ vim.env.WB_PYTHON, '-c', vim.env.WB_KILL })
  local again = { text = ('Again [[{"text": "%s"}]]'):format(words) }
  vim.wait(20000, function() return (pcall(run, 'wave.ask', again)) end, 200)
  return idle(buffer, '\n' .. words)
end
seen.outlivedCli = outlives('wave_bridge.embedded', 'after the CLI')
seen.outlivedDaemon = outlives('daemon', 'after the daemon')
seen.resumed = run('wave.resume', { sessionId = asked.sessionId }).uri == asked.uri
seen.questions = #answers
io.stdout:write('\nSEEN ' .. vim.fn.json_encode(seen) .. '\n')
vim.cmd('qa!')
