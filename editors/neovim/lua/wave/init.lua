-- Wave in Neovim: the current session, what the bridge tells of it, and what `:Wave` does with it.
local approvals = require('wave.approvals')
local client = require('wave.client')
local facts = require('wave.facts')
local view = require('wave.view')

local M = {}
local ask, say, handlers = client.ask, client.say, client.handlers

local current -- the session that is shown: { id, seq, view, approvals, busy, title }
local turns = 0

function M.setup(config)
  client.config = vim.tbl_extend('force', client.config, config or {})
end

local function footer(session)
  local waiting = #session.approvals
  local text = session.busy and 'Wave is working' or ''
  if waiting > 0 then text = ('%d waiting: :Wave approve, :Wave deny'):format(waiting) end
  session.view:footer(text)
end

-- Approvals. One that is dismissed is not refused: it waits.

local function respond(approval, decision)
  ask('wave/permission/respond', { requestId = approval.requestId, decision = decision })
end

local function put(session, approval)
  local prompt, offered = approvals.options(approval)
  vim.ui.select(offered, { prompt = prompt, format_item = function(item) return item.title end }, function(chosen)
    if chosen and vim.tbl_contains(session.approvals, approval) then respond(approval, chosen.decision) end
  end)
end

-- Sessions

local function attached(session, opened)
  session.seq, session.epoch, session.approvals = opened.seq, opened.epoch, opened.approvals or {}
  session.busy, session.title = opened.state.busy, opened.state.title
  if opened.messages then session.view:reset(opened.messages) end
  footer(session)
end

local function show(opened)
  local before = current and current.view
  if not current or current.id ~= opened.sessionId then
    if current then ask('wave/session/unsubscribe', { sessionId = current.id }) end
    current = { id = opened.sessionId, view = view.new(opened.sessionId) }
  end
  attached(current, opened)
  current.view:show(before)
end

local function resync(session)
  session.seq = nil -- what comes meanwhile is in the snapshot
  ask('wave/session/load', { sessionId = session.id }, function(snapshot)
    if session == current then attached(session, snapshot) end
  end)
end

local function with_session(done)
  if current then return done(current) end
  ask('wave/session/new', { workdir = vim.fn.getcwd() }, function(opened)
    show(opened)
    done(current)
  end)
end

-- What the bridge tells

local function mine(params)
  return current and params.sessionId == current.id and current or nil
end

handlers['wave/session/event'] = function(_, params)
  local event, session = params.event, current
  if not session or not session.seq or event.sessionId ~= session.id or params.seq <= session.seq then return end
  if (params.fromSeq or params.seq) > session.seq + 1 then return resync(session) end
  session.seq = params.seq
  if event.method == 'sessionIdChange' then
    session.id = event.params.sessionId
  else
    session.view:event(event.method, event.params)
  end
end

handlers['wave/session/state'] = function(_, params)
  local session = mine(params)
  if not session then return end
  if type(params.busy) == 'boolean' then session.busy = params.busy end
  if type(params.title) == 'string' then session.title = params.title end
  local ended = params.turnEnded
  if type(ended) == 'table' and (ended.reason == 'failed' or ended.reason == 'agentCrashed') then
    say(ended.detail or ended.reason, vim.log.levels.ERROR)
  end
  if params.resync then resync(session) end
  footer(session)
end

handlers['wave/permission/requested'] = function(_, params)
  local session = mine(params)
  if not session then return end
  table.insert(session.approvals, params)
  footer(session)
  put(session, params)
end

handlers['wave/permission/resolved'] = function(_, params)
  local session = mine(params)
  if not session then return end
  session.approvals = vim.tbl_filter(function(one) return one.requestId ~= params.requestId end, session.approvals)
  footer(session)
end

handlers['wave/agent/status'] = function(_, params)
  if params.state == 'down' or params.state == 'degraded' then
    say('the CLI is ' .. params.state .. (params.reason and ': ' .. params.reason or ''), vim.log.levels.WARN)
  end
end

handlers['wave/daemon/reattached'] = function()
  if current then resync(current) end
end

handlers['wave/agent/event'] = function() end
handlers['wave/context/read'] = function(_, params) return facts.read(params.kinds) end

local function open_file(_, params)
  vim.cmd('split ' .. vim.fn.fnameescape(params.path))
  if params.line then pcall(vim.api.nvim_win_set_cursor, 0, { params.line, (params.column or 1) - 1 }) end
  return { ok = true }
end
handlers['wave/editor/openFile'], handlers['wave/editor/reveal'] = open_file, open_file

handlers['wave/editor/openUrl'] = function(_, params)
  if vim.ui.open then vim.ui.open(params.url) else say(params.url) end
  return { ok = true }
end

handlers['wave/editor/notify'] = function(_, params)
  local levels = { error = vim.log.levels.ERROR, warning = vim.log.levels.WARN }
  say(params.message, levels[params.level])
  return { ok = true }
end

handlers['wave/editor/copy'] = function(_, params)
  vim.fn.setreg('+', params.text)
  return { ok = true }
end

-- The words @terminal and @problems become mentions where they stand.
local function parts_of(text)
  if text:sub(1, 1) == '!' then return { { type = 'bang', command = vim.trim(text:sub(2)) } } end
  local parts, at = {}, 1
  local function add(piece)
    if piece:find('%S') then parts[#parts + 1] = { type = 'text', text = piece } end
  end
  while true do
    local from, to, kind = text:find('@(%a+)%f[^%w_]', at)
    while from and kind ~= 'terminal' and kind ~= 'problems' do
      from, to, kind = text:find('@(%a+)%f[^%w_]', to + 1)
    end
    if not from then break end
    add(text:sub(at, from - 1))
    parts[#parts + 1] = { type = 'mention', kind = kind }
    at = to + 1
  end
  add(text:sub(at))
  return parts
end

-- Sends a message to the current session, or to a new one.
function M.send(text)
  with_session(function(session)
    turns = turns + 1
    local turn = ('nvim-%d-%d-%d'):format(vim.fn.getpid(), os.time(), turns)
    ask('wave/turn/start', { sessionId = session.id, clientTurnId = turn, parts = parts_of(text) })
    session.view:show()
  end)
end

local function decide(behavior)
  return function()
    local approval = current and current.approvals[1]
    if not approval then return say('nothing waits for an answer') end
    local _, offered = approvals.options(approval)
    if behavior == 'allow' and offered[1].decision.message then return put(current, approval) end -- a question
    respond(approval, behavior == 'allow' and { behavior = 'allow' } or offered[#offered].decision)
  end
end

local commands = { approve = decide('allow'), deny = decide('deny') }

function commands.ask(text)
  if text ~= '' then return M.send(text) end
  vim.ui.input({ prompt = 'Ask Wave: ' }, function(typed)
    if typed and typed:find('%S') then M.send(typed) end
  end)
end

-- The lines of the range, with what is asked about them.
function commands.send(text, given)
  local lines = vim.api.nvim_buf_get_lines(0, given.line1 - 1, given.line2, false)
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(0), ':.')
  M.send(('%s\n\n%s:%d-%d\n```\n%s\n```'):format(text, name, given.line1, given.line2, table.concat(lines, '\n')))
end

function commands.new()
  ask('wave/session/new', { workdir = vim.fn.getcwd() }, show)
end

function commands.resume(id)
  local function load(chosen) ask('wave/session/load', { sessionId = chosen }, show) end
  if id ~= '' then return load(id) end
  ask('wave/session/list', { cwd = vim.fn.getcwd() }, function(page)
    local prompt = { prompt = 'Resume', format_item = function(row) return row.customTitle or row.firstMessage or row.id end }
    vim.ui.select(page.sessions, prompt, function(row) if row then load(row.id) end end)
  end)
end

local function of_session(method, name)
  return function(value)
    if not current then return say('no session is open') end
    ask(method, { sessionId = current.id, [name or 'sessionId'] = name and value or current.id })
  end
end

commands.stop = of_session('wave/turn/cancel')
commands.rename = of_session('wave/session/rename', 'title')
commands.mode = of_session('wave/session/setMode', 'mode')
commands.model = of_session('wave/models/set', 'model')

function commands.show() with_session(function(session) session.view:show() end) end

function commands.panel()
  local params = { workdir = vim.fn.getcwd(), sessionId = current and current.id }
  ask('wave/panel/url', params, function(result) handlers['wave/editor/openUrl'](nil, result) end)
end

function commands.restart() ask('wave/agent/restart', {}) end

-- `:Wave NAME TEXT`; without a name it asks.
function M.command(given)
  local name, text = given.args:match('^(%S*)%s*(.*)$')
  local command = commands[name == '' and 'ask' or name]
  if not command then return say('no such command: ' .. name .. '; there are ' .. table.concat(M.complete(''), ', ')) end
  command(text, given)
end

function M.complete(lead)
  local names = vim.tbl_filter(function(name) return vim.startswith(name, lead) end, vim.tbl_keys(commands))
  table.sort(names)
  return names
end

-- The current session, for a status line: nil, or what there is of it.
function M.status()
  if not current then return nil end
  local waiting = #current.approvals
  return {
    id = current.id,
    epoch = current.epoch,
    title = current.title,
    busy = current.busy,
    waiting = waiting,
    buffer = current.view.buffer,
  }
end

return M
