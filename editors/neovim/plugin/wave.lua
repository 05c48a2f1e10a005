-- `:Wave`; nothing else is loaded before it is used, but what keeps the terminals' marks.
if vim.g.loaded_wave then return end
vim.g.loaded_wave = true

require('wave.facts').watch()

vim.api.nvim_create_user_command('Wave', function(given)
  require('wave').command(given)
end, {
  nargs = '*',
  range = true,
  desc = 'Wave: ask, send, stop, resume, …',
  complete = function(lead, line)
    return line:match('^%S*Wave%s+%S*$') and require('wave').complete(lead) or {}
  end,
})
