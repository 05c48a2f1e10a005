-- A session in a split: its messages, kept up to date by the events of the CLI, as Markdown.
local M = {}

local REDRAW = 40 -- milliseconds: pieces of a stream that come closer are drawn together
local SHOWN = 20 -- lines of a tool's result
local View = {}
View.__index = View

local function add(lines, text)
  vim.list_extend(lines, vim.split((tostring(text or ''):gsub('\r', '')), '\n', { plain = true }))
end

local function add_tool(lines, block)
  local what = block.compactParams or block.parameters or ''
  if type(what) ~= 'string' then what = vim.json.encode(what) end
  add(lines, '`' .. (block.name or '?') .. '` ' .. what:gsub('%s+', ' '):sub(1, 200))
  local result = block.error or block.result
  if type(result) == 'string' and result ~= '' then
    local shown = vim.split(result, '\n', { plain = true })
    lines[#lines + 1] = '```'
    vim.list_extend(lines, vim.list_slice(shown, 1, SHOWN))
    if #shown > SHOWN then lines[#lines + 1] = ('… %d lines'):format(#shown) end
    lines[#lines + 1] = '```'
  end
end

local function drawn(message)
  local lines = { message.role == 'user' and '## You' or '## Wave', '' }
  for _, block in ipairs(message.blocks or {}) do
    if block.type == 'tool' then
      add_tool(lines, block)
    elseif block.type == 'bang' then
      add(lines, '$ ' .. (block.command or ''))
      add(lines, block.output)
    elseif block.type == 'reasoning' then
      add(lines, '> ' .. (block.content or ''):gsub('\n', '\n> '))
    elseif block.type == 'error' then
      add(lines, '**Error**: ' .. (block.content or ''))
    else
      add(lines, block.content or block.text or '')
    end
    lines[#lines + 1] = ''
  end
  return lines
end

-- Gives the buffer of a session, the one that there was if it was shown before.
local function buffer_of(name)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(buffer) == name then return buffer end
  end
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buffer, name)
  return buffer
end

function M.new(id)
  local buffer = buffer_of('wave://' .. id)
  vim.bo[buffer].filetype = 'markdown'
  vim.bo[buffer].modifiable = false
  return setmetatable({ buffer = buffer, messages = {}, starts = {}, tail = '' }, View)
end

-- Shows it where another session was shown, else in a split; the cursor stays where it is.
function View:show(before)
  for _, window in ipairs(before and vim.fn.win_findbuf(before.buffer) or {}) do
    vim.api.nvim_win_set_buf(window, self.buffer)
  end
  if vim.fn.bufwinid(self.buffer) ~= -1 then return end
  local back = vim.api.nvim_get_current_win()
  vim.cmd('botright vsplit')
  vim.api.nvim_win_set_buf(0, self.buffer)
  vim.wo.wrap, vim.wo.linebreak = true, true
  vim.api.nvim_set_current_win(back)
end

function View:find(id)
  for place = #self.messages, 1, -1 do -- what changes is at the end
    if self.messages[place].id == id then return place end
  end
end

function View:tool(params)
  for place = #self.messages, 1, -1 do
    for _, block in ipairs(self.messages[place].blocks) do
      if block.type == 'tool' and block.id == params.id then return place, block end
    end
  end
  local place = self:find(params.messageId)
  if not place then return end
  local block = { type = 'tool', parameters = '' }
  table.insert(self.messages[place].blocks, block)
  return place, block
end

local handlers = {}

local function added(self, params)
  local message = params.message
  if type(message) ~= 'table' then return end
  message.blocks = message.blocks or {}
  local place = self:find(message.id) or #self.messages + 1
  self.messages[place] = message
  return place
end
handlers.userMessageAdded, handlers.assistantMessageAdded, handlers.notificationMessageAdded = added, added, added

local function grown(kind)
  return function(self, params)
    local place = self:find(params.messageId)
    if not place then return end
    local blocks = self.messages[place].blocks
    local last = blocks[#blocks]
    if not last or last.type ~= kind or last.stage ~= 'streaming' then
      last = { type = kind, content = '' }
      blocks[#blocks + 1] = last
    end
    last.content = last.content .. (params.chunk or '')
    last.stage = params.stage
    return place
  end
end
handlers.assistantContentUpdated, handlers.assistantReasoningUpdated = grown('text'), grown('reasoning')

function handlers:toolBlockUpdated(params)
  local place, block = self:tool(params)
  if not place then return end
  for name, value in pairs(params) do
    if name ~= 'messageId' and name ~= 'parametersChunk' then block[name] = value end
  end
  if params.stage == 'streaming' then block.parameters = (block.parameters or '') .. (params.parametersChunk or '') end
  return place
end

function handlers:errorBlockAdded(params)
  local last = self.messages[#self.messages]
  if not last or last.role ~= 'assistant' then
    last = { role = 'assistant', blocks = {} }
    table.insert(self.messages, last)
  end
  table.insert(last.blocks, { type = 'error', content = params.error })
  return #self.messages
end

function handlers:bangMessageAdded(params)
  local block = { type = 'bang', command = params.command, output = '' }
  table.insert(self.messages, { id = params.messageId, role = 'user', blocks = { block } })
  return #self.messages
end

local function ran(self, params)
  local place = self:find(params.messageId)
  local block = place and self.messages[place].blocks[1]
  if not block then return end
  block.command, block.output = params.command or block.command, params.output or block.output
  return place
end
handlers.bangMessageUpdated, handlers.bangMessageCompleted = ran, ran

function handlers:messagesChange(params)
  self:reset(params.messages)
  return 1
end

-- Takes all messages anew.
function View:reset(messages)
  self.messages = type(messages) == 'table' and messages or {}
  self:changed(1)
end

function View:event(method, params)
  local handler = handlers[method]
  local place = handler and handler(self, params or {})
  if place then self:changed(place) end
end

-- What stands below the messages: that Wave works, what waits.
function View:footer(text)
  self.tail = text
  self:changed(#self.messages + 1)
end

function View:changed(place)
  self.from = math.min(self.from or place, place)
  if self.waiting then return end
  self.waiting = true
  vim.defer_fn(function() self:draw() end, REDRAW)
end

function View:draw()
  self.waiting = false
  if not vim.api.nvim_buf_is_valid(self.buffer) then return end
  local from, lines = self.from, {}
  self.from = nil
  local start = self.starts[from] or (from == 1 and 0) or self.ends or 0
  for place = from, #self.messages do
    self.starts[place] = start + #lines
    vim.list_extend(lines, drawn(self.messages[place]))
  end
  for place = #self.messages + 1, #self.starts do self.starts[place] = nil end
  self.ends = start + #lines
  if self.tail ~= '' then lines[#lines + 1] = '*' .. self.tail .. '*' end
  local count = vim.api.nvim_buf_line_count(self.buffer)
  vim.bo[self.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(self.buffer, start, -1, false, vim.tbl_map(function(line) return (line:gsub('\n', ' ')) end, lines))
  vim.bo[self.buffer].modifiable = false
  for _, window in ipairs(vim.fn.win_findbuf(self.buffer)) do -- who reads the end goes on reading it
    if vim.api.nvim_win_get_cursor(window)[1] >= count then
      vim.api.nvim_win_set_cursor(window, { vim.api.nvim_buf_line_count(self.buffer), 0 })
    end
  end
end

return M
