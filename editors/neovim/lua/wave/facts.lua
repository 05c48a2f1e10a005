-- What Wave may read of this editor when a message mentions it: the last command of a terminal, the problems of a file.
local M = {}

local MAX_LINES = 10000 -- of a terminal; a message takes far less
local MAX_TEXT = 1024 * 1024 -- bytes of a file that goes along, to count its columns
local space = vim.api.nvim_create_namespace('wave.marks')
local terminal, file -- the buffers that were used last
local marks = {} -- by terminal buffer: { kind = 'A'…'D', id = extmark, column = cells, code = exit code }

local function is(buffer, kind)
  return buffer and vim.api.nvim_buf_is_valid(buffer) and vim.bo[buffer].buftype == kind
end

local function entered(event)
  if vim.bo[event.buf].buftype == 'terminal' then
    terminal = event.buf
  elseif vim.bo[event.buf].buftype == '' then
    file = event.buf
  end
end

-- A shell's mark (OSC 133) at the cursor. Extmarks stay with their lines when the scrollback is cut.
local function marked(event)
  local sequence, cursor = event.data.sequence, event.data.cursor
  local kind, more = sequence:match('^\27%]133;([ABCD])([^\27\7]*)')
  if not kind or not cursor then return end
  local found, id = pcall(vim.api.nvim_buf_set_extmark, event.buf, space, cursor[1] - 1, 0, { strict = false })
  if not found then return end
  local list = marks[event.buf] or {}
  marks[event.buf] = list
  if kind == 'A' and #list > 8 then -- the command before is all that will be asked for
    list = vim.list_slice(list, #list - 7)
    marks[event.buf] = list
  end
  list[#list + 1] = { kind = kind, id = id, column = cursor[2], code = tonumber(more:match('^;(-?%d+)')) }
  terminal = event.buf
end

function M.watch()
  local group = vim.api.nvim_create_augroup('wave.facts', {})
  vim.api.nvim_create_autocmd({ 'BufEnter', 'TermOpen' }, { group = group, callback = entered })
  vim.api.nvim_create_autocmd('BufWipeout', {
    group = group,
    callback = function(event) marks[event.buf] = nil end,
  })
  if vim.fn.has('nvim-0.11') == 1 then -- before, marks come without their place
    vim.api.nvim_create_autocmd('TermRequest', { group = group, callback = marked })
  end
end

-- Gives row and byte of a mark; it is asked for late, because the line may have been drawn later than it was marked.
local function place(buffer, mark)
  local row = vim.api.nvim_buf_get_extmark_by_id(buffer, space, mark.id, {})[1]
  if not row then return nil end
  local line = vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1] or ''
  local bytes, cells = 0, 0
  for _, from in ipairs(vim.str_utf_pos(line)) do -- the mark tells its column in cells
    if cells >= mark.column then break end
    bytes = from + #vim.fn.strcharpart(line:sub(from), 0, 1) - 1
    cells = vim.fn.strdisplaywidth(line:sub(1, bytes))
  end
  return row, bytes
end

local function between(buffer, from_row, from_column, to_row, to_column)
  local ok, lines = pcall(vim.api.nvim_buf_get_text, buffer, from_row, from_column, to_row, to_column, {})
  return ok and table.concat(lines, '\n') or nil
end

-- The last command whose line is not empty, by the shell's marks: B, its line, C, its output, D.
local function last_command(buffer)
  local list = marks[buffer] or {}
  local last = vim.api.nvim_buf_line_count(buffer)
  for index = #list, 1, -1 do
    if list[index].kind == 'C' then
      local row, column = place(buffer, list[index])
      local ended, before = list[index + 1], list[index - 1]
      if not row then return nil end
      local line
      if before and before.kind == 'B' then
        local at, from = place(buffer, before)
        line = at and vim.trim(between(buffer, at, from, row, column) or ''):gsub('\n', '')
      end
      if line ~= '' then
        local first = math.max(row, last - MAX_LINES)
        local to_row, to_column
        if ended and ended.kind == 'D' then to_row, to_column = place(buffer, ended) end
        local output = to_row and between(buffer, first, first == row and column or 0, to_row, to_column)
          or table.concat(vim.api.nvim_buf_get_lines(buffer, first, last, false), '\n')
        return {
          source = 'command',
          command = line,
          output = (output:gsub('%s+$', '')),
          rendered = true,
          exitCode = ended and ended.code or nil,
          running = not (ended and ended.kind == 'D'),
        }
      end
    end
  end
end

local function read_terminal()
  if not is(terminal, 'terminal') then
    terminal = nil
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      if is(buffer, 'terminal') then terminal = buffer end
    end
  end
  if not terminal then return { source = 'unavailable', reason = 'no terminal is open' } end
  local command = last_command(terminal)
  if command then return command end
  local lines = vim.api.nvim_buf_get_lines(terminal, -MAX_LINES - 1, -1, false)
  return { source = 'screen', text = (table.concat(lines, '\n'):gsub('%s+$', '')) }
end

local function position(line, column)
  return { line = line, character = column }
end

local function read_problems()
  if not is(file, '') or vim.api.nvim_buf_get_name(file) == '' then
    return { source = 'unavailable', reason = 'no file is open' }
  end
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(file)) do
    found[#found + 1] = {
      range = { start = position(one.lnum, one.col), ['end'] = position(one.end_lnum or one.lnum, one.end_col or one.col) },
      severity = one.severity,
      source = one.source,
      code = one.code,
      message = one.message,
    }
  end
  local text = table.concat(vim.api.nvim_buf_get_lines(file, 0, -1, false), '\n')
  return {
    uri = vim.uri_from_bufnr(file),
    root = vim.fn.getcwd(),
    positionEncoding = 'utf-8', -- columns of diagnostics are bytes here
    text = #text <= MAX_TEXT and text or nil,
    diagnostics = found,
  }
end

-- Answers wave/context/read.
function M.read(kinds)
  local facts = vim.empty_dict()
  for _, kind in ipairs(kinds) do
    if kind == 'terminal' then facts.terminal = read_terminal() end
    if kind == 'problems' then facts.problems = read_problems() end
  end
  return facts
end

return M
