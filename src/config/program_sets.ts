/** Named sets of programs for the allowlist: `@developer`, `@spec`, `@read`. @module */

const set = (...lines: string[]): readonly string[] => lines.join(" ").split(" ");

const READ = set(
  "cat tac nl head tail wc sort uniq cut paste join comm fold expand column rev tr diff cmp file stat ls tree du df",
  "readlink realpath basename dirname md5sum sha1sum sha256sum sha512sum b2sum cksum base64 od xxd hexdump strings",
  "grep egrep fgrep rg fd find jq echo printf true false test expr seq date uname id whoami hostname nproc pwd printenv",
  "which ps free uptime",
);

/** What each set stands for. */
export const PROGRAM_SETS: Readonly<Record<string, readonly string[]>> = {
  /** What a developer uses every day. */
  "@developer": [
    ...new Set([
      ...READ,
      ...set(
        // Shells, and programs that start others
        "bash sh dash zsh env xargs tee sleep timeout time nice nohup setsid stdbuf flock watch script parallel expect",
        // Files, text, archives
        "cp mv ln mkdir rmdir rm touch chmod chown install mktemp truncate split csplit shuf tsort patch sed awk gawk mawk",
        "perl bc dc envsubst numfmt iconv dos2unix unix2dos cal yes sync tput stty clear rename getopt chgrp mkfifo less more",
        "tar gzip gunzip zcat zgrep bzip2 bunzip2 bzcat xz unxz xzcat zstd unzstd zstdcat lz4 zip unzip 7z cpio ar rsync",
        "yq xmllint pandoc sponge entr pv fdfind batcat bat delta tokei cloc hyperfine dot gpg openssl",
        // Versions
        "git git-lfs gh glab hg svn pre-commit",
        // Network
        "curl wget ssh scp sftp ping host dig nslookup nc ip ss lsof netstat getent",
        // Languages, their tools and managers
        "node nodejs npm npx pnpm pnpx yarn corepack bun bunx deno tsc tsx ts-node eslint prettier jest vitest mocha",
        "python python3 pip pip3 pipx uv uvx poetry pipenv hatch tox nox pytest ruff black isort mypy pyright flake8 pylint",
        "coverage ipython jupyter virtualenv conda mamba micromamba pyenv asdf mise volta fnm rustup",
        "gcc g++ cc c++ cpp clang clang++ clangd clang-format clang-tidy ld lld gold as nm objdump objcopy readelf strip size",
        "ranlib ldd addr2line c++filt gdb lldb make gmake cmake ctest ninja meson autoconf automake autoreconf libtool",
        "libtoolize aclocal m4 pkg-config pkgconf flex bison ccache valgrind gcov lcov bear",
        "cargo rustc rustfmt go gofmt gopls golangci-lint zig java javac jar javap jshell mvn gradle kotlin kotlinc scala sbt",
        "dotnet ruby gem bundle bundler rake irb rspec rubocop php composer lua luajit luarocks julia Rscript R ghc cabal stack",
        "elixir mix erl rebar3 ocaml dune opam swift dart flutter nim crystal protoc buf just task shellcheck shfmt hadolint",
        // Data and services
        "sqlite3 psql pg_dump mysql mariadb redis-cli mongosh nginx apachectl caddy ansible terraform-docs kubectl helm",
        // The machine
        "lscpu lsblk lsmem findmnt mountpoint vmstat mpstat pidstat iostat pgrep pidof pstree kill pkill strace ltrace",
        "systemd-analyze getconf locale tty nvidia-smi man apropos whatis logger",
      ),
    ]),
  ],
  /** The list of the specification. */
  "@spec": set(
    "bash sh rg grep cat ls head tail wc sort uniq cut find stat file du df ps git python python3 pip node pytest make diff patch sed",
    "awk tar echo date uname env",
  ),
  /** What can only read. */
  "@read": READ,
};

/** The names on a list, each set replaced by what it stands for. */
export function expandSets(list: readonly string[]): string[] {
  return [...new Set(list.flatMap((entry) => PROGRAM_SETS[entry] ?? [entry]))];
}

/** Sets that do not exist. */
export function unknownSets(list: readonly string[]): string[] {
  return list.filter((entry) => entry.startsWith("@") && !Object.hasOwn(PROGRAM_SETS, entry));
}
