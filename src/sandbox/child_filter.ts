/** Chooses the system calls that the seccomp filter refuses to children. @module */
import type { Config } from "../config/resolve.ts";
import { networkOf } from "../config/network.ts";
import { SCOPES_ABI } from "./landlock.ts";
import { compileFilter, ENOSYS, type SyscallRule } from "./seccomp.ts";
import { ARCHITECTURES, type SyscallName } from "./syscall_numbers.ts";

/** Parts of the kernel that no ordinary program needs, and that have let programs out of sandboxes. */
const NEVER: readonly SyscallName[] = [
  "keyctl",
  "add_key",
  "request_key",
  "io_uring_setup", // its operations are not seen by a filter
  "io_uring_enter",
  "io_uring_register",
  "userfaultfd",
  "perf_event_open",
  "bpf",
  "kexec_load",
  "kexec_file_load",
  "init_module",
  "finit_module",
  "delete_module",
  "open_by_handle_at",
];
/** Useful only to who has a namespace of its own. */
const MOUNTING: readonly SyscallName[] = [
  "mount",
  "umount2",
  "pivot_root",
  "open_tree",
  "move_mount",
  "fsopen",
  "fsconfig",
  "fsmount",
  "fspick",
  "mount_setattr",
  "setns",
];
/** Looks into other processes; a process namespace leaves none to look into. */
const INSPECTING: readonly SyscallName[] = ["process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp"];

const TIOCSTI = 0x5412, TIOCLINUX = 0x541c;
const CLONE_NEWUSER = 0x10000000;
const PTRACE_ATTACH = 16, PTRACE_SEIZE = 0x4206;
const AF_UNIX = 1, AF_INET = 2, AF_INET6 = 10, AF_NETLINK = 16;
const MFD_NOEXEC_SEAL = 8, AT_EMPTY_PATH = 0x1000;
const O_CREAT = 0o100, O_TMPFILE = 0o20000000;
const SETUID_SETGID = 0o6000, SETUID = 0o4000;

/** What the rules depend on. */
export interface FilterFacts {
  /** Whether a process and mount namespace holds the child; else Landlock alone does. */
  readonly namespaces: boolean;
  readonly landlockAbi: number;
  readonly root: boolean;
}

/** The program for children of this configuration on this machine. */
export function childFilter({ settings }: Pick<Config, "settings">, facts: FilterFacts): Uint8Array {
  return compileFilter(ARCHITECTURES[Deno.build.arch], childRules(settings.tools, facts));
}

/**
 * What keeps a child from unix sockets of programs outside. Those with a path are hidden by a mount namespace, the abstract
 * ones only by a network namespace or by Landlock; where neither does, the filter refuses all but socket pairs.
 */
export function socketHold(
  tools: Config["settings"]["tools"],
  { namespaces, landlockAbi }: Pick<FilterFacts, "namespaces" | "landlockAbi">,
): "namespace" | "landlock" | "seccomp" | "open" {
  if (tools.allow_host_sockets) return "open";
  if (namespaces && networkOf(tools) !== "on") return "namespace";
  return namespaces && landlockAbi >= SCOPES_ABI ? "landlock" : "seccomp";
}

/**
 * Whether bubblewrap has to be started by a thread that scopes its sockets. Under `deno run` there is none: every thread but
 * the broker's is in a domain in which bubblewrap does not start.
 */
export function needsScopedThread({ settings }: Pick<Config, "settings">, landlockAbi: number): boolean {
  return Deno.build.standalone && socketHold(settings.tools, { namespaces: true, landlockAbi }) === "landlock";
}

/** The rules, in the order in which they are tried. */
function childRules(tools: Config["settings"]["tools"], facts: FilterFacts): SyscallRule[] {
  return [
    ...NEVER.map((call) => ({ call })),
    // Types into the terminal that the server was started from.
    ...[TIOCSTI, TIOCLINUX].map((request): SyscallRule => ({ call: "ioctl", when: [{ arg: 1, equals: request }] })),
    ...tools.allow_user_namespaces ? [] : namespaceRules(),
    ...facts.namespaces ? [] : inspectionRules(),
    ...socketRules(tools, facts),
    ...modeRules(facts.root),
    ...tools.allowlist_scope === "tree" ? memoryProgramRules() : [],
  ];
}

function namespaceRules(): SyscallRule[] {
  return [
    { call: "unshare", when: [{ arg: 0, anyOf: CLONE_NEWUSER }] },
    { call: "clone", when: [{ arg: 0, anyOf: CLONE_NEWUSER }] },
    // Its flags are in memory, where no filter can look; the C library then takes clone.
    { call: "clone3", errno: ENOSYS },
    ...MOUNTING.map((call) => ({ call })),
  ];
}

/** A debugger may start its program (PTRACE_TRACEME), but not join one that runs: it could be another call's. */
function inspectionRules(): SyscallRule[] {
  return [
    ...INSPECTING.map((call) => ({ call })),
    ...[PTRACE_ATTACH, PTRACE_SEIZE].map((request): SyscallRule => ({
      call: "ptrace",
      when: [{ arg: 0, equals: request }],
    })),
  ];
}

/**
 * Kinds of sockets. Without a network namespace only the filter keeps a child off the network in every way (UDP, MPTCP,
 * a first packet sent with the connection); with one it keeps off what namespaces do not hold (virtual machines' sockets).
 */
function socketRules(tools: Config["settings"]["tools"], facts: FilterFacts): SyscallRule[] {
  const { namespaces } = facts, unix = socketHold(tools, facts) !== "seccomp";
  if (networkOf(tools) === "on") return unix ? [] : [{ call: "socket", when: [{ arg: 0, equals: AF_UNIX }] }];
  const kinds = [AF_NETLINK, ...unix ? [AF_UNIX] : [], ...namespaces ? [AF_INET, AF_INET6] : []];
  return [{ call: "socket", when: [{ arg: 0, notIn: kinds }] }];
}

/** No file that runs with its owner's rights is left behind in a root, where anybody on the machine could start it. */
function modeRules(root: boolean): SyscallRule[] {
  const bits = root ? SETUID_SETGID : SETUID; // setgid folders are usual, and only the superuser's groups are a danger
  const makes = { anyOf: O_CREAT | O_TMPFILE };
  return [
    { call: "chmod", when: [{ arg: 1, anyOf: bits }] },
    { call: "fchmod", when: [{ arg: 1, anyOf: bits }] },
    { call: "fchmodat", when: [{ arg: 2, anyOf: bits }] },
    { call: "fchmodat2", when: [{ arg: 2, anyOf: bits }] },
    { call: "creat", when: [{ arg: 1, anyOf: bits }] },
    { call: "open", when: [{ arg: 1, ...makes }, { arg: 2, anyOf: bits }] },
    { call: "openat", when: [{ arg: 2, ...makes }, { arg: 3, anyOf: bits }] },
    { call: "mknod", when: [{ arg: 1, anyOf: bits }] },
    { call: "mknodat", when: [{ arg: 2, anyOf: bits }] },
    // The mode is in memory; its users fall back to openat.
    { call: "openat2", errno: ENOSYS },
  ];
}

/** Programs that are in no file: the kernel's list of files says nothing of them. */
function memoryProgramRules(): SyscallRule[] {
  return [
    { call: "memfd_create", when: [{ arg: 1, noneOf: MFD_NOEXEC_SEAL }] },
    { call: "execveat", when: [{ arg: 4, anyOf: AT_EMPTY_PATH }] },
  ];
}
