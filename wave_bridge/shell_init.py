"""`wave-bridge shell-init SHELL`: what a shell evaluates to mark its commands in a terminal (OSC 133).

Marks where the prompt begins (A), where it ends (B), where a command's output begins (C) and ends, with the exit code
(D). A terminal that knows them bounds @terminal by them, and so does `wave-bridge run -- SHELL`. Nothing else changes:
the prompt, `$?` for it, and hooks that are there already stay as they are.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import argparse

# bash 4.4 or later: PS0 is shown before a command runs. A prompt that is made anew each time gets its marks anew.
BASH: Final = r"""
if [[ $- == *i* && -z ${__wave_marks-} ]]; then
  __wave_marks=1
  __wave_done() { local code=$?; printf '\033]133;D;%s\a' "$code"; return "$code"; }
  __wave_mark() {
    local code=$?
    [[ $PS1 == *'133;A'* ]] || PS1='\[\e]133;A\a\]'$PS1'\[\e]133;B\a\]'
    [[ ${PS0-} == *'133;C'* ]] || PS0=${PS0-}'\e]133;C\a'
    return "$code"
  }
  if [[ $(declare -p PROMPT_COMMAND 2>/dev/null) == 'declare -a'* ]]; then
    PROMPT_COMMAND=(__wave_done "${PROMPT_COMMAND[@]}" __wave_mark)
  else
    PROMPT_COMMAND=$'__wave_done\n'${PROMPT_COMMAND-}$'\n__wave_mark'
  fi
fi
"""
ZSH: Final = r"""
if [[ -o interactive && -z ${__wave_marks-} ]]; then
  typeset -g __wave_marks=1
  __wave_done() { local code=$?; print -n "\e]133;D;$code\a"; return $code }
  __wave_mark() { [[ $PS1 == *'133;A'* ]] || PS1=$'%{\e]133;A\a%}'$PS1$'%{\e]133;B\a%}' }
  __wave_begin() { print -n '\e]133;C\a' }
  precmd_functions=(__wave_done $precmd_functions __wave_mark)
  preexec_functions+=(__wave_begin)
fi
"""
# fish marks its prompts by itself from 4 on.
FISH: Final = r"""
if status is-interactive; and not set -q __wave_marks; and string match -qr '^[23]\.' -- $version
  set -g __wave_marks 1
  functions -q fish_prompt; and functions -c fish_prompt __wave_prompt
  function __wave_status; return $argv[1]; end
  function fish_prompt
    set -l code $status
    printf '\e]133;A\a'
    if functions -q __wave_prompt
      __wave_status $code
      __wave_prompt
    end
    printf '\e]133;B\a'
  end
  function __wave_begin --on-event fish_preexec; printf '\e]133;C\a'; end
  function __wave_done --on-event fish_postexec; printf '\e]133;D;%s\a' $status; end
end
"""
SNIPPETS: Final = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """Mount the sub-command `shell-init`."""
    parser = subparsers.add_parser("shell-init", help="print what makes a shell mark its commands for @terminal")
    parser.add_argument("shell", choices=SNIPPETS, help='in bash and zsh: eval "$(wave-bridge shell-init bash)"')
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print it."""
    sys.stdout.write(SNIPPETS[options.shell].lstrip("\n"))
    return 0
