/** Describes common programs to the policy: whether they only read, and how their arguments are parsed. @module */
import type { Syntax } from "../../core/options.ts";

/**
 * `read`: it cannot start programs or change files once its arguments passed the rules.
 * `code`: everything else; it runs only where the kernel holds it.
 */
export type ProgramClass = "read" | "code";

/** Which operands name files. */
export type Operands =
  /** None does. */
  | "none"
  /** All do. */
  | "paths"
  /** All but the first, which is a pattern unless an option gave one. */
  | "pattern";

/** One program. */
export interface Program extends Syntax {
  readonly class: ProgramClass;
  readonly operands: Operands;
  /** Options that give the pattern of a program with `pattern` operands. */
  readonly patternOptions?: readonly string[];
}

const reads = (operands: Operands, valued = "", syntax: Partial<Program> = {}): Program => ({
  class: "read",
  operands,
  valued,
  ...syntax,
});
const changes = (operands: Operands, valued = "", syntax: Partial<Program> = {}): Program => ({
  class: "code",
  operands,
  valued,
  ...syntax,
});

/** A program that is not in the table: code, with arguments of unknown meaning. */
const UNKNOWN_PROGRAM: Program = { class: "code", operands: "none" };

/** Programs by family, see {@link familyOf}. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  // Reading files
  cat: reads("paths"),
  tac: reads("paths", "s"),
  nl: reads("paths", "bdfhilnsvw"),
  head: reads("paths", "cn", { valuedLong: ["--lines", "--bytes"] }),
  tail: reads("paths", "cns", { valuedLong: ["--lines", "--bytes", "--sleep-interval", "--pid"] }),
  wc: reads("paths"),
  cut: reads("paths", "bcdf", { valuedLong: ["--bytes", "--characters", "--delimiter", "--fields"] }),
  paste: reads("paths", "d"),
  join: reads("paths", "12aeijotv"),
  comm: reads("paths"),
  fold: reads("paths", "w"),
  expand: reads("paths", "t"),
  unexpand: reads("paths", "t"),
  column: reads("paths", "costNRHOWTEC"),
  rev: reads("paths"),
  sort: reads("paths", "ktoTS", {
    valuedLong: ["--key", "--field-separator", "--output", "--temporary-directory", "--buffer-size", "--parallel"],
  }),
  uniq: reads("paths", "fsw"),
  diff: reads("paths", "CUFISxXLW", {
    exact: ["--exclude"],
    valuedLong: ["--label", "--exclude", "--exclude-from", "--to-file", "--from-file"],
  }),
  cmp: reads("paths", "in"),
  file: reads("paths", "efFmP", { valuedLong: ["--files-from", "--magic-file"] }),
  stat: reads("paths", "c", { valuedLong: ["--format", "--printf"] }),
  ls: reads("paths", "IwT", { valuedLong: ["--ignore", "--hide", "--width", "--tabsize", "--block-size"] }),
  tree: reads("paths", "LPIoHT"),
  du: reads("paths", "BdtX", {
    exact: ["--exclude"],
    valuedLong: ["--max-depth", "--exclude", "--exclude-from", "--threshold"],
  }),
  df: reads("none", "Btx"),
  readlink: reads("paths"),
  realpath: reads("paths"),
  md5sum: reads("paths"),
  sha1sum: reads("paths"),
  sha256sum: reads("paths"),
  sha512sum: reads("paths"),
  b2sum: reads("paths", "l"),
  cksum: reads("paths", "al"),
  base64: reads("paths", "w"),
  od: reads("paths", "AjNtw"),
  xxd: reads("paths", "cglos"),
  hexdump: reads("paths", "efns"),
  strings: reads("paths", "netT"),
  // Searching
  grep: reads("pattern", "ABCDdefm", {
    exact: ["--exclude"],
    valuedLong: ["--regexp", "--file", "--include", "--exclude", "--exclude-dir", "--exclude-from", "--max-count"]
      .concat(["--context", "--after-context", "--before-context", "--label", "--binary-files"]),
    patternOptions: ["-e", "-f", "--regexp", "--file"],
  }),
  rg: reads("pattern", "ABCEMTdefgjmrt", {
    unabbreviated: true,
    valuedLong: [
      "--regexp",
      "--file",
      "--glob",
      "--iglob",
      "--type",
      "--type-not",
      "--type-add",
      "--max-depth",
      "--pre",
    ]
      .concat(["--pre-glob", "--hostname-bin", "--ignore-file", "--max-count", "--context", "--replace", "--sort"])
      .concat(["--after-context", "--before-context", "--threads", "--encoding", "--max-columns", "--max-filesize"])
      .concat(["--engine", "--color", "--colors", "--sortr", "--path-separator", "--dfa-size-limit"]),
    patternOptions: ["-e", "-f", "--regexp", "--file", "--files"],
  }),
  fd: reads("pattern", "CESTcdejtxX", { unabbreviated: true }),
  find: reads("paths", "", { wholeWords: true }),
  jq: reads("pattern", "fL", {
    unabbreviated: true,
    valuedLong: ["--from-file", "--indent"],
    patternOptions: ["-f", "--from-file"],
  }),
  // Facts of the machine
  ps: reads("none", "CGOUgoptu"),
  date: reads("none", "dfrs", { valuedLong: ["--date", "--file", "--reference", "--set"] }),
  uname: reads("none"),
  id: reads("none"),
  whoami: reads("none"),
  uptime: reads("none"),
  free: reads("none", "cs"),
  nproc: reads("none"),
  arch: reads("none"),
  lscpu: reads("none"),
  lsblk: reads("none", "Ieox"),
  which: reads("none"),
  // Text and arithmetic without files
  echo: reads("none"),
  printf: reads("none"),
  true: reads("none"),
  false: reads("none"),
  test: reads("none"),
  expr: reads("none"),
  seq: reads("none", "fs"),
  tr: reads("none"),
  basename: reads("none", "s"),
  dirname: reads("none"),
  sleep: reads("none"),
  pwd: reads("none"),
  printenv: reads("none"),
  numfmt: reads("none", "d"),
  // Changing files: held by the kernel, checked here for a clear answer
  tee: changes("paths"),
  cp: changes("paths", "St"),
  mv: changes("paths", "St"),
  ln: changes("paths", "St"),
  install: changes("paths", "Sgmot"),
  rm: changes("paths"),
  rmdir: changes("paths"),
  mkdir: changes("paths", "mZ"),
  touch: changes("paths", "drt"),
  truncate: changes("paths", "rs"),
  split: changes("none", "abClnt"),
  patch: changes("paths", "BDFVYdgioprz"),
  dd: changes("none"),
  // Running code
  sed: changes("pattern", "efl", {
    valuedLong: ["--expression", "--file", "--line-length"],
    patternOptions: ["-e", "-f", "--expression", "--file"],
  }),
  awk: changes("none", "FvfeElioL", {
    stopsAtOperand: true,
    valuedLong: ["--field-separator", "--assign", "--file", "--source", "--include", "--exec"],
  }),
  tar: changes("none", "bCfFgHIKLNTVX", {
    oldStyle: true,
    exact: ["--checkpoint", "--exclude"],
    valuedLong: [
      "--file",
      "--directory",
      "--use-compress-program",
      "--files-from",
      "--exclude-from",
      "--checkpoint-action",
    ],
  }),
  make: changes("none", "CEfIjloW", { valuedLong: ["--directory", "--file", "--makefile", "--eval", "--include-dir"] }),
  zip: changes("none", "bt"),
  curl: changes("none", "ATmdeoHKFubcwxXyYzrECPQ", {
    valuedLong: [
      "--output",
      "--config",
      "--upload-file",
      "--form",
      "--data",
      "--unix-socket",
      "--netrc-file",
      "--cookie",
    ],
  }),
  wget: changes("none", "aioOPTtwQUB", { valuedLong: ["--output-document", "--input-file", "--config"] }),
  ssh: changes("none", "BbcDEeFIiJLlmOopPQRSWw"),
  scp: changes("none", "cFiJloPSX"),
  sftp: changes("none", "BbcDFiJloPRSsX"),
  rsync: changes("none", "efBTM@"),
  docker: changes("none", "Hlv"),
  journalctl: changes("none", "DMSUbcgnopptu"),
  systemctl: changes("none", "HMnopst"),
  man: changes("none", "CELMPRSelmprs"),
  gdb: changes("none"),
};

/** Names under which the same program goes. */
const FAMILY: Readonly<Record<string, string>> = {
  egrep: "grep",
  fgrep: "grep",
  ripgrep: "rg",
  fdfind: "fd",
  gawk: "awk",
  mawk: "awk",
  nawk: "awk",
  "original-awk": "awk",
  gsed: "sed",
  gtar: "tar",
  bsdtar: "tar",
  gmake: "make",
  gfind: "find",
  slogin: "ssh",
  podman: "docker",
  nerdctl: "docker",
  dir: "ls",
  vdir: "ls",
  sha224sum: "sha256sum",
  sha384sum: "sha512sum",
};

/** The name whose rules hold for a program, given how it was called and what its file is called. */
export function familyOf(name: string, realPath: string): string {
  const file = realPath.slice(realPath.lastIndexOf("/") + 1);
  for (const candidate of [name, file]) {
    const family = FAMILY[candidate] ?? candidate;
    if (Object.hasOwn(PROGRAMS, family)) return family;
  }
  return FAMILY[name] ?? name;
}

/** What is known of a family. */
export function programOf(family: string): Program {
  return Object.hasOwn(PROGRAMS, family) ? PROGRAMS[family] ?? UNKNOWN_PROGRAM : UNKNOWN_PROGRAM;
}
