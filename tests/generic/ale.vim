" A user of Vim with ALE, which speaks LSP but is asked nothing and shows no documents: the conversation is a file that
" grows, and approvals are answered by command. Prints JSON into $WB_SEEN: Vim's standard output is its screen.
set nocompatible nomore
packadd ale
let g:ale_linters = {'text': ['wave']}
let g:ale_disable_lsp = 0
call ale#linter#Define('text', {
\   'name': 'wave',
\   'lsp': 'stdio',
\   'executable': $WB_PYTHON,
\   'command': '%e -m wave_bridge --stdio',
\   'project_root': {-> getcwd()},
\})
let s:replies = []

function! s:Until(holds) abort
  for l:tick in range(400)
    if a:holds() | return v:true | endif
    sleep 50m
  endfor
  return v:false
endfunction

function! s:Run(name, argument) abort
  let s:replies = []
  let l:message = [0, 'workspace/executeCommand', {'command': a:name, 'arguments': [a:argument]}]
  call ale#lsp_linter#SendRequest(bufnr(''), 'wave', l:message, {reply -> add(s:replies, reply)})
  call s:Until({-> !empty(s:replies)})
  return get(get(s:replies, 0, {}), 'result', {})
endfunction

function! s:Text(uri) abort
  return join(readfile(ale#path#FromFileURI(a:uri)), "\n")
endfunction

function! s:Idle(uri, wanted) abort
  return s:Until({-> stridx(s:Text(a:uri), a:wanted) >= 0 && stridx(s:Text(a:uri), 'Wave is working') < 0})
endfunction

" Kill a process of ours and see the conversation go on; what was asked of it is refused at once, and asked again.
function! s:Outlives(killed, uri, words) abort
  let $WB_KILLED = a:killed
  call system(shellescape($WB_PYTHON) . ' -c ' . shellescape($WB_KILL))
  let l:again = {'text': 'Again [[{"text": "' . a:words . '"}]]'}
  call s:Until({-> has_key(s:Run('wave.ask', l:again), 'uri')})
  return s:Idle(a:uri, "\n" . a:words)
endfunction

function! s:Converse() abort
  let l:answer = s:Run('wave.ask', {'text': $WB_STREAM})
  let l:uri = l:answer.uri
  let l:seen = {'streamed': s:Idle(l:uri, $WB_STREAMED)}
  call s:Run('wave.ask', {'text': $WB_TOOL})
  call s:Until({-> !empty(get(s:Run('wave.permissions', {}), 'requests', []))})
  let l:request = s:Run('wave.permissions', {}).requests[0]
  call s:Run('wave.respond', {'requestId': l:request.requestId, 'decision': 'allow'})
  let l:seen.allowed = s:Idle(l:uri, 'Made.') && filereadable('made.txt')
  call s:Run('wave.ask', {'text': $WB_SLOW})
  call s:Until({-> stridx(s:Text(l:uri), 'Wave is working') >= 0})
  call s:Run('wave.stop', {})
  let l:seen.stopped = s:Idle(l:uri, 'aborted')
  call s:Run('wave.rename', {'title': 'From Vim'})
  let l:seen.renamed = s:Idle(l:uri, '# From Vim')
  let l:seen.outlivedCli = s:Outlives('wave_bridge.embedded', l:uri, 'after the CLI')
  let l:seen.outlivedDaemon = s:Outlives('daemon', l:uri, 'after the daemon')
  let l:seen.resumed = s:Run('wave.resume', {'sessionId': l:answer.sessionId}).uri is# l:uri
  return l:seen
endfunction

function! s:Join() abort
  return {'joined': s:Idle(s:Run('wave.resume', {'sessionId': $WB_JOIN}).uri, $WB_STREAMED)}
endfunction

edit code.txt
setfiletype text
call s:Until({-> exists(':ALELint')})
ALELint
try
  let s:seen = empty($WB_JOIN) ? s:Converse() : s:Join()
catch
  let s:seen = {'failed': v:exception . ' ' . v:throwpoint . ' ' . string(s:replies)}
endtry
call writefile(['SEEN ' . json_encode(s:seen)], $WB_SEEN)
qall!
