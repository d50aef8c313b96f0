#!/bin/sh
# Makes sure that the programs which the tests start are there: installs them as root on Debian and its relatives,
# names them elsewhere.
set -eu

# program:package, where the program tells whether the package is there; more of them can be given as arguments
needed="$* bwrap:bubblewrap git:git ps:procps python3:python3 script:bsdutils setsid:util-linux chromium:chromium zsh:zsh fish:fish curl:curl sqlite3:sqlite3"

missing=
for pair in $needed; do
  command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"
done
# The server looks for programs in these folders only; another python in front of them may have what theirs has not.
PATH=/usr/local/bin:/usr/bin:/bin python3 -m pytest --version >/dev/null 2>&1 || missing="$missing python3-pytest"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "deps: installing$missing" >&2
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086 # a list of words
  apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1 ||
    { apt-get update -qq >&2 && apt-get install -y -qq --no-install-recommends $missing >/dev/null; }
else
  echo "deps: missing packages:$missing" >&2
  echo "deps: install them, for example with: sudo apt-get install$missing" >&2
fi
