#!/bin/sh
# Runs Deno with the arguments given: the one on PATH when it is new enough, else one of its own below .deno/,
# installed from npm or, without npm, by the official installer.
set -eu

version=2.7.11
oldest_minor=7
top=$(cd "$(dirname "$0")/.." && pwd)
home=$top/.deno
# Companies inspect TLS with a certificate authority that only the system's store has.
export DENO_TLS_CA_STORE="${DENO_TLS_CA_STORE:-mozilla,system}"

is_new_enough() {
  numbers=$("$1" --version 2>/dev/null | sed -n 's/^deno \([0-9]*\)\.\([0-9]*\)\..*/\1 \2/p') || return 1
  # shellcheck disable=SC2086 # two words are wanted
  set -- $numbers
  [ $# -eq 2 ] && { [ "$1" -gt 2 ] || { [ "$1" -eq 2 ] && [ "$2" -ge $oldest_minor ]; }; }
}

# The npm package is a wrapper that needs Node; the real program lies in a package of its own for each platform.
npm_binary() {
  case $(uname -m) in
    x86_64) cpu=x64 ;;
    aarch64 | arm64) cpu=arm64 ;;
    *) cpu=none ;;
  esac
  printf '%s\n' "$home/node_modules/@deno/linux-$cpu-glibc/deno"
}

install_from_npm() {
  command -v npm >/dev/null 2>&1 || return 1
  echo "deno: installing $version from npm into .deno/" >&2
  mkdir -p "$home"
  npm install --prefix "$home" --ignore-scripts --no-save --no-audit --no-fund --no-update-notifier --loglevel=error "deno@$version" >&2 || return 1
  chmod +x "$(npm_binary)" 2>/dev/null
}

install_officially() {
  command -v curl >/dev/null 2>&1 || return 1
  echo "deno: installing $version with the official installer into .deno/" >&2
  curl -fsSL https://deno.land/install.sh | DENO_INSTALL="$home" sh -s "v$version" --yes --no-modify-path >&2
}

find_deno() {
  for candidate in "${DENO:-}" "$(command -v deno || true)" "$(npm_binary)" "$home/bin/deno"; do
    if [ -n "$candidate" ] && is_new_enough "$candidate"; then
      printf '%s\n' "$candidate"
      return 0
    fi
  done
  return 1
}

deno=$(find_deno) || {
  install_from_npm || install_officially || true
  deno=$(find_deno) || {
    echo "deno: version 2.$oldest_minor or newer is needed; install npm or curl (and unzip), or set DENO=/path/to/deno" >&2
    exit 1
  }
}
exec "$deno" "$@"
