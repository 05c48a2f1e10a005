-- The connection to wave-bridge: a language client that announces what it can do and speaks the whole protocol.
local M = { config = { cmd = { 'wave-bridge', '--stdio' } }, handlers = {} }

local client -- once it has shaken hands
local starting -- who waits for that

function M.say(message, level)
  vim.notify('Wave: ' .. message, level or vim.log.levels.INFO)
end

-- Calls `done` with the client, which is started when it is needed first.
function M.connect(done)
  if client then return done(client) end
  if starting then return table.insert(starting, done) end
  starting = { done }
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.experimental = { wave = { version = 1, terminal = true, problems = true } }
  local folder = vim.fn.getcwd()
  local config = {
    name = 'wave',
    cmd = M.config.cmd,
    root_dir = folder,
    workspace_folders = { { uri = vim.uri_from_fname(folder), name = vim.fn.fnamemodify(folder, ':t') } },
    capabilities = capabilities,
    init_options = { settings = M.config.settings or vim.empty_dict() },
    handlers = M.handlers,
    on_init = function(found)
      local waiting = starting
      client, starting = found, nil
      for _, waiter in ipairs(waiting or {}) do waiter(found) end
    end,
    on_exit = vim.schedule_wrap(function(code)
      client, starting = nil, nil
      if code ~= 0 then M.say('wave-bridge ended; the next command starts it again', vim.log.levels.ERROR) end
    end),
  }
  local id
  if vim.lsp.start then id = vim.lsp.start(config, { attach = false }) else id = vim.lsp.start_client(config) end
  if not id then
    starting = nil
    M.say(('%s does not start; is it installed?'):format(M.config.cmd[1]), vim.log.levels.ERROR)
  end
end

-- Asks the bridge; `done` hears the result. A failure is told, with what to do about it.
function M.ask(method, params, done)
  M.connect(function(found)
    local function answered(fault, result)
      if fault then
        M.say(fault.message or vim.inspect(fault), vim.log.levels.ERROR)
      elseif done then
        done(result)
      end
    end
    params = next(params or {}) and params or vim.empty_dict()
    if vim.fn.has('nvim-0.11') == 1 then found:request(method, params, answered) else found.request(method, params, answered) end
  end)
end

return M
