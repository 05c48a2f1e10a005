-- What a user is asked when a tool waits for approval: a prompt and the answers that are offered, the last one a refusal.
local M = {}

function M.options(approval)
  local context = approval.context
  local questions = context.toolName == 'AskUserQuestion' and (context.toolInput or {}).questions or {}
  local question = #questions == 1 and questions[1]
  local deny = { title = 'Deny', decision = { behavior = 'deny', message = 'The user denied it.' } }
  if not question then
    local input = context.toolInput and vim.json.encode(context.toolInput) or ''
    return ('Wave wants to use %s %s'):format(context.toolName or '?', input:sub(1, 300)),
      { { title = 'Allow', decision = { behavior = 'allow' } }, deny }
  end
  local offered = {}
  for _, option in ipairs(question.options or {}) do
    local answer = vim.json.encode({ [question.question] = option.label })
    offered[#offered + 1] = { title = option.label, decision = { behavior = 'allow', message = answer } }
  end
  offered[#offered + 1] = deny
  return question.question, offered
end

return M
