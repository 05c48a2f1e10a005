# shellcheck shell=bash
# Sourced by scripts/test and scripts/demo: the repository's virtual environment, and tools from the system's packages.

root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
venv=$root/.venv
python=$venv/bin/python

say() { printf '==> %s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# True when the command is a Python that wave-bridge runs on.
is_modern() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

# The interpreter that the virtual environment is made from; PYTHON names another one.
base_python() {
  local name
  for name in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 python; do
    if is_modern "$name"; then printf '%s\n' "$name"; return; fi
  done
  die "Python 3.11 or newer is needed (none on PATH). Install one, or name it: PYTHON=/path/to/python3 $0"
}

# need_apt COMMAND[:PACKAGE]... is true when every command is there, after an installation by apt where we may; for what
# brings no command, a file of it by its whole path. $missing then names the packages that can't be had.
need_apt() {
  missing=$(absent "$@")
  [ -n "$missing" ] || return 0
  can_apt || return 1
  say "Installing by apt:$missing"
  apt_install "$@" || true
  missing=$(absent "$@")
  [ -z "$missing" ]
}

absent() {
  local tool
  for tool; do is_there "${tool%%:*}" || printf ' %s' "${tool##*:}"; done
}

is_there() { if [[ $1 = /* ]]; then [ -e "$1" ]; else command -v "$1" >/dev/null 2>&1; fi; }

can_apt() { [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; }

apt_install() {
  local tool packages=()
  for tool; do is_there "${tool%%:*}" || packages+=("${tool##*:}"); done
  [ -n "${apt_updated:-}" ] || apt-get update -qq >/dev/null || return
  apt_updated=yes
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${packages[@]}" </dev/null >/dev/null
}

make_venv() {
  local base
  base=$(base_python)
  # Debian and Ubuntu ship Python without the modules that make an environment; the package is named by the version.
  if ! "$base" -c 'import venv, ensurepip' >/dev/null 2>&1; then
    can_apt || die "$base can't make virtual environments; install its venv module (Debian, Ubuntu: python3-venv)"
    say "Installing python3-venv by apt"
    apt_install "$("$base" -c 'import sys; print("no-such-command:python%d.%d-venv" % sys.version_info[:2])')" ||
      die "python3-venv could not be installed"
  fi
  say "Making the virtual environment .venv with $("$base" --version 2>&1)"
  "$base" -m venv --clear "$venv"
  printf '%s\n' "$root" >"$venv/.made-for"
}

# An environment is made again when its Python is gone, or when the checkout was moved: its scripts hold its old path.
venv_is_usable() {
  is_modern "$python" && [ "$(cat "$venv/.made-for" 2>/dev/null || printf '%s' "$root")" = "$root" ]
}

pip_install() { "$python" -m pip install --quiet --disable-pip-version-check "$@"; }

npm_seconds=600 # for one folder's packages; a registry that goes silent must not hold everything up

# npm_packages FOLDER: what its package.json names, where npm is there; without a lock file, whose addresses are a machine's.
npm_packages() {
  command -v npm >/dev/null 2>&1 || return 0
  [ "$root/$1/node_modules" -nt "$root/$1/package.json" ] && return 0
  say "Installing the npm packages of $1"
  if ! (cd "$root/$1" && timeout "$npm_seconds" npm install --no-package-lock --no-audit --no-fund --loglevel=error) >&2; then
    rm -rf -- "$root/$1/node_modules" # half of them would look like all of them
    note "the npm packages of $1 could not be installed: the tests that need them are skipped"
  fi
}

# set_up runtime | set_up dev: `wave-bridge` in .venv, with what the tests need for dev. At once when nothing changed.
set_up() {
  local wanted=$1 current
  venv_is_usable || make_venv
  current=$(cksum <"$root/pyproject.toml")
  [ "$(cat "$venv/.installed-$wanted" 2>/dev/null)" != "$current" ] || return 0
  say "Installing wave-bridge ($wanted) into .venv; a minute at the first time"
  pip_install --upgrade 'pip>=25.1' # dependency groups
  if [ "$wanted" = dev ]; then
    (cd "$root" && pip_install --editable . --group dev)
    printf '%s\n' "$current" >"$venv/.installed-dev"
  else
    (cd "$root" && pip_install --editable .)
  fi
  printf '%s\n' "$current" >"$venv/.installed-runtime"
}
