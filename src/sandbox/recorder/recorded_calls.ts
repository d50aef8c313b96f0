/** Lists the system calls that change files, and which of their arguments name what changes. @module */
import { compileFilter, type Condition, type SyscallRule } from "../seccomp.ts";
import { ARCHITECTURES, type SyscallName } from "../syscall_numbers.ts";

/**
 * What a call does to a name: `content` of the file changes, the `entry` goes or is replaced, it is `made`, its `facts` (mode,
 * owner, attributes) change; or it is where an entry moves `from` or `to`, or the other name of a file that is `made`.
 */
export type Role = "content" | "entry" | "made" | "facts" | "from" | "to" | "other";

/** How a call names a file. */
export interface NamedEntry {
  readonly role: Role;
  /** Argument with the path; absent where the descriptor itself is meant. */
  readonly path?: number;
  /** Argument with a folder's descriptor, or with that of the file. */
  readonly fd?: number;
  /** Whether a link at the end is followed: always, never, or as flags say. */
  readonly follows: boolean | { readonly arg: number; readonly kind: "open" | "at" | "link" };
}

/** A call that waits for the recorder. */
export interface RecordedCall {
  readonly call: SyscallName;
  readonly when?: readonly Condition[];
  readonly names: readonly NamedEntry[];
  /** Argument with flags of renameat2. */
  readonly renameFlags?: number;
}

const O_WRONLY = 0o1, O_RDWR = 0o2, O_CREAT = 0o100, O_TRUNC = 0o1000;
/** Only these change anything; mapping a file, or cutting it by its descriptor, needs one that was opened so. */
const CHANGES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;

const at = (role: Role, path: number, follows: NamedEntry["follows"], fd?: number): NamedEntry =>
  fd === undefined ? { role, path, follows } : { role, path, fd, follows };
const own = (call: SyscallName): RecordedCall => ({ call, names: [{ role: "facts", fd: 0, follows: false }] });
const flagged = (arg: number): NamedEntry["follows"] => ({ arg, kind: "at" });
const opened = (arg: number): NamedEntry["follows"] => ({ arg, kind: "open" });

/** Every way in which a program changes a file or a name. `openat2` is refused to programs, see child_filter.ts. */
const CALLS: readonly RecordedCall[] = [
  { call: "open", when: [{ arg: 1, anyOf: CHANGES }], names: [at("content", 0, opened(1))] },
  { call: "openat", when: [{ arg: 2, anyOf: CHANGES }], names: [at("content", 1, opened(2), 0)] },
  { call: "creat", names: [at("content", 0, true)] },
  { call: "truncate", names: [at("content", 0, true)] },
  { call: "unlink", names: [at("entry", 0, false)] },
  { call: "rmdir", names: [at("entry", 0, false)] },
  { call: "unlinkat", names: [at("entry", 1, false, 0)] },
  { call: "rename", names: [at("from", 0, false), at("to", 1, false)] },
  { call: "renameat", names: [at("from", 1, false, 0), at("to", 3, false, 2)] },
  { call: "renameat2", names: [at("from", 1, false, 0), at("to", 3, false, 2)], renameFlags: 4 },
  { call: "link", names: [at("other", 0, false), at("made", 1, false)] },
  { call: "linkat", names: [at("other", 1, { arg: 4, kind: "link" }, 0), at("made", 3, false, 2)] },
  { call: "symlink", names: [at("made", 1, false)] },
  { call: "symlinkat", names: [at("made", 2, false, 1)] },
  { call: "mkdir", names: [at("made", 0, false)] },
  { call: "mkdirat", names: [at("made", 1, false, 0)] },
  { call: "mknod", names: [at("made", 0, false)] },
  { call: "mknodat", names: [at("made", 1, false, 0)] },
  { call: "chmod", names: [at("facts", 0, true)] },
  { call: "fchmodat", names: [at("facts", 1, true, 0)] },
  { call: "fchmodat2", names: [at("facts", 1, flagged(3), 0)] },
  { call: "chown", names: [at("facts", 0, true)] },
  { call: "lchown", names: [at("facts", 0, false)] },
  { call: "fchownat", names: [at("facts", 1, flagged(4), 0)] },
  { call: "setxattr", names: [at("facts", 0, true)] },
  { call: "removexattr", names: [at("facts", 0, true)] },
  { call: "lsetxattr", names: [at("facts", 0, false)] },
  { call: "lremovexattr", names: [at("facts", 0, false)] },
  { call: "setxattrat", names: [at("facts", 1, flagged(2), 0)] },
  { call: "removexattrat", names: [at("facts", 1, flagged(2), 0)] },
  ...(["fchmod", "fchown", "fsetxattr", "fremovexattr"] as const).map(own),
];

/** By the numbers of this architecture. */
export function recordedCalls(): ReadonlyMap<number, RecordedCall> {
  const { numbers } = ARCHITECTURES[Deno.build.arch];
  return new Map(CALLS.flatMap((call) => {
    const number = numbers[call.call];
    return number === undefined ? [] : [[number, call] as const];
  }));
}

/** The filter that lets these calls wait, and all others pass. */
export function recordingFilter(): Uint8Array {
  const rules = CALLS.map(({ call, when }): SyscallRule => ({ call, waits: true, ...when ? { when } : {} }));
  return compileFilter(ARCHITECTURES[Deno.build.arch], rules);
}
