# shellcheck shell=bash
# Sourced by scripts/test: what the parts found, and the closing summary.

passed=0 failed=0 skipped=0
notes=()
reports=$(mktemp -d)
trap 'rm -rf -- "$reports"' EXIT

note() { notes+=("$*"); }

# check NAME COMMAND... counts one result: whether the command succeeds.
check() {
  local name=$1
  shift
  say "$name"
  if "$@"; then
    passed=$((passed + 1))
  else
    fail "$name"
  fi
}

# suite NAME COMMAND... counts the results in $reports/NAME.xml, or in the folder $reports/NAME, which the command writes.
# A command without a report, or that fails while its report does not (a crash, a time limit, no test found), is a failure.
suite() {
  local name=$1 code=0 failed_before=$failed
  shift
  say "$name"
  "$@" || code=$?
  if ! count "$name"; then
    fail "$name: ended with code $code and left no report"
  elif [ "$code" -ne 0 ] && [ "$failed" -eq "$failed_before" ]; then
    fail "$name: ended with code $code and no failed test in its report"
  fi
}

count() {
  local name=$1 report=$reports/$1.xml summary more_passed more_failed more_skipped line
  [ ! -d "$reports/$name" ] || report=$reports/$name
  summary=$("$python" "$root/scripts/lib/junit.py" "$report") || return
  {
    read -r more_passed more_failed more_skipped
    while read -r line; do note "$line"; done
  } <<<"$summary"
  passed=$((passed + more_passed)) failed=$((failed + more_failed)) skipped=$((skipped + more_skipped))
}

fail() {
  failed=$((failed + 1))
  note "FAILED  $*"
}

# skip NAME REASON counts a part that can't run here, and says so at the end.
skip() {
  skipped=$((skipped + 1))
  note "SKIPPED $1: $2"
}

close() {
  printf '\n'
  [ ${#notes[@]} -eq 0 ] || printf '%s\n' "${notes[@]}"
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  [ "$failed" -eq 0 ]
}
