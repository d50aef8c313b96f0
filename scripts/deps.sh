#!/bin/sh
# Makes sure that the programs which the tests start are installed. As root on Debian and its relatives it installs them;
# otherwise it prints the one command that does. Without the first group no tests can run, and it fails; tests that need
# another missing program are left out and say so.
set -eu

# program:package, where the program tells whether the package is installed; more of them can be given as arguments
needed="git:git ps:procps python3:python3 openssl:openssl script:bsdutils setsid:util-linux"
wanted="$* bwrap:bubblewrap node:nodejs chromium:chromium zsh:zsh fish:fish curl:curl sqlite3:sqlite3"

# Prints the missing packages of a list.
missing_of() {
  for pair in $1; do
    command -v "${pair%%:*}" >/dev/null 2>&1 || printf ' %s' "${pair#*:}"
  done
}

# The server looks for programs in these folders only; another Python in front of them may have what theirs lacks.
missing_pytest() {
  PATH=/usr/local/bin:/usr/bin:/bin python3 -m pytest --version >/dev/null 2>&1 || printf ' python3-pytest'
}

missing="$(missing_of "$needed")$(missing_of "$wanted")$(missing_pytest)"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "deps: installing$missing" >&2
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086 # a list of words
  apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1 ||
    { apt-get update -qq >&2 && apt-get install -y -qq --no-install-recommends $missing >/dev/null; } ||
    echo "deps: they could not be installed; tests that need them are left out" >&2
else
  echo "deps: not installed:$missing" >&2
  if command -v apt-get >/dev/null 2>&1; then
    echo "deps: tests that need them are left out; this installs them: sudo apt-get install -y$missing" >&2
  else
    echo "deps: tests that need them are left out; install them (named as in Debian) to run all tests" >&2
  fi
fi

lacking=$(missing_of "$needed")
[ -z "$lacking" ] || { echo "deps: the tests cannot run without:$lacking" >&2; exit 1; }
