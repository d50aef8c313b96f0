#!/bin/sh
# Starts the executable for this machine's processor in place of this shell: no process stands between client and server.
set -eu

self=$(readlink -f -- "$0")
case $(uname -m) in
  x86_64 | amd64) cpu=x64 ;;
  aarch64 | arm64) cpu=arm64 ;;
  *) cpu=none ;;
esac
program=${self%/bin/*}/lib/linux-$cpu/llmc-mcp
if [ ! -x "$program" ]; then
  echo "llmc-mcp: this package has no executable for $(uname -sm)" >&2
  exit 69
fi
exec "$program" "$@"
