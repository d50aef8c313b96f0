/**
 * Landlock bindings: the kernel confines a thread, and everything it starts, to the paths of a ruleset. A ruleset
 * binds the calling THREAD, and every thread and process that this thread creates afterwards. So the caller itself
 * must not count as confined (older pool threads stay outside); a worker or child made after the call is.
 * @module
 */
import { encodeText } from "../core/bytes.ts";
import { check, type Libc } from "../sys/libc.ts";
import { forbidNewPrivileges } from "./seccomp.ts";

const CREATE_RULESET = 444n, ADD_RULE = 445n, RESTRICT_SELF = 446n; // the same numbers on x86-64 and arm64
const O_PATH_CLOEXEC = 0o12000000, O_NOFOLLOW = 0o400000;
const QUERY_ABI = 1, PATH_BENEATH = 1, NET_PORT = 2;
const CONNECT_TCP = 2n, SCOPE_ABSTRACT_SOCKET = 1n, SCOPE_SIGNAL = 2n;

/** File access rights, in the order of the kernel's bits. */
const Right = {
  execute: 1n << 0n,
  writeFile: 1n << 1n,
  readFile: 1n << 2n,
  readDir: 1n << 3n,
  makeChar: 1n << 6n,
  makeReg: 1n << 8n,
  makeBlock: 1n << 11n,
  refer: 1n << 13n, // ABI 2: link and rename between directories
  truncate: 1n << 14n, // ABI 3
  ioctlDev: 1n << 15n, // ABI 5
} as const;
const ABI_1_RIGHTS = (1n << 13n) - 1n;
const RIGHTS_ON_A_FILE = Right.execute | Right.writeFile | Right.readFile | Right.truncate | Right.ioctlDev;

/** What a domain may still reach; everything else is refused by the kernel. */
export interface Policy {
  readonly readOnly: readonly string[];
  /** Folders whose names can be listed, and those below. */
  readonly listed: readonly string[];
  readonly readExecute: readonly string[];
  /** One that is a link grants nothing: a program that may write it could have put it there. */
  readonly readWrite: readonly string[];
  /** Like {@link readWrite}, but nothing in it can be executed. */
  readonly readWriteNoExecute: readonly string[];
  /** Terminals: read, write and ioctl. */
  readonly devices: readonly string[];
  /** TCP ports the domain may connect to (ABI 4); null leaves the network alone. Binding is not handled here. */
  readonly connectPorts: readonly number[] | null;
}

/** The kernel's Landlock ABI: 0 where there is none (old kernel, not enabled, refused by seccomp). */
export function landlockAbi(libc: Libc): number {
  return Math.max(0, Number(libc.createRuleset(CREATE_RULESET, null, 0n, BigInt(QUERY_ABI))));
}

/** One path and what may be done at and below it. */
export interface LandlockRule {
  readonly path: string;
  readonly rights: bigint;
  readonly isFollowed: boolean;
}

/** A {@link Policy} as the kernel takes it: plain data, so that a thread with fewer rights can be told to apply it. */
export interface Ruleset {
  readonly rules: readonly LandlockRule[];
  readonly connectPorts: readonly number[] | null;
}

/** Looks at the paths of a policy; those that do not exist are left out. */
export function planRuleset(policy: Policy): Ruleset {
  const rules: LandlockRule[] = [];
  const allow = (paths: readonly string[], rights: bigint) => {
    const isFollowed = (rights & Right.makeReg) === 0n;
    for (const path of paths) {
      const kind = kindOf(path);
      if (kind) rules.push({ path, rights: kind === "directory" ? rights : rights & RIGHTS_ON_A_FILE, isFollowed });
    }
  };
  const read = Right.readFile | Right.readDir;
  const everything = ABI_1_RIGHTS | Right.refer | Right.truncate;
  const usual = everything & ~(Right.makeChar | Right.makeBlock);
  allow(policy.readOnly, read);
  allow(policy.listed, Right.readDir);
  allow(policy.readExecute, read | Right.execute);
  allow(policy.readWrite, usual);
  allow(policy.readWriteNoExecute, usual & ~Right.execute);
  allow(policy.devices, read | Right.writeFile | Right.ioctlDev);
  return { rules, connectPorts: policy.connectPorts };
}

function kindOf(path: string): "directory" | "file" | null {
  try {
    return Deno.statSync(path).isDirectory ? "directory" : "file";
  } catch {
    return null;
  }
}

/**
 * Confines the calling thread for good. A second call can narrow it further, never widen.
 *
 * @throws Error when the kernel has no Landlock or refuses the ruleset.
 */
export function restrictThread(libc: Libc, { rules, connectPorts }: Ruleset): void {
  const abi = landlockAbi(libc);
  if (abi < 1) throw new Error("this kernel has no Landlock");
  const handled = handledRights(abi);
  const ruleset = createRuleset(libc, abi, handled, connectPorts !== null);
  for (const rule of rules) addRule(libc, ruleset, { ...rule, rights: handled & rule.rights });
  for (const port of abi >= 4 ? connectPorts ?? [] : []) {
    const rule = new BigUint64Array([CONNECT_TCP, BigInt(port)]);
    check(libc, libc.addRule(ADD_RULE, ruleset, BigInt(NET_PORT), rule, 0n), `landlock_add_rule port ${port}`);
  }
  forbidNewPrivileges(libc);
  check(libc, libc.restrictSelf(RESTRICT_SELF, ruleset, 0n), "landlock_restrict_self");
  libc.close(Number(ruleset));
}

/** The first ABI with scopes. */
export const SCOPES_ABI = 6;

/**
 * Keeps what this thread starts from now on from abstract sockets of programs outside, and from nothing else: bubblewrap
 * still works in such a domain. Processes outside cannot be inspected from here afterwards.
 */
export function scopeAbstractSockets(libc: Libc): void {
  const attributes = new BigUint64Array([0n, 0n, SCOPE_ABSTRACT_SOCKET]), size = BigInt(attributes.byteLength);
  const ruleset = check(libc, libc.createRuleset(CREATE_RULESET, attributes, size, 0n), "landlock_create_ruleset");
  forbidNewPrivileges(libc);
  check(libc, libc.restrictSelf(RESTRICT_SELF, ruleset, 0n), "landlock_restrict_self");
  libc.close(Number(ruleset));
}

function handledRights(abi: number): bigint {
  let handled = ABI_1_RIGHTS;
  if (abi >= 2) handled |= Right.refer;
  if (abi >= 3) handled |= Right.truncate;
  if (abi >= 5) handled |= Right.ioctlDev;
  return handled;
}

function createRuleset(libc: Libc, abi: number, handled: bigint, limitNetwork: boolean): bigint {
  const network = abi >= 4 && limitNetwork ? CONNECT_TCP : 0n;
  const scopes = abi >= SCOPES_ABI ? SCOPE_ABSTRACT_SOCKET | SCOPE_SIGNAL : 0n;
  // An older kernel refuses a longer struct with non-zero tail, so pass only the part it knows.
  const attributes = new BigUint64Array([handled, network, scopes]).subarray(
    0,
    abi >= SCOPES_ABI ? 3 : abi >= 4 ? 2 : 1,
  );
  const size = BigInt(attributes.byteLength);
  return check(libc, libc.createRuleset(CREATE_RULESET, attributes, size, 0n), "landlock_create_ruleset");
}

function addRule(libc: Libc, ruleset: bigint, { path, rights, isFollowed }: LandlockRule): void {
  const fd = libc.open(encodeText(`${path}\0`), O_PATH_CLOEXEC | (isFollowed ? 0 : O_NOFOLLOW));
  if (fd < 0) return; // gone since it was planned: nothing is granted
  const rule = new DataView(new ArrayBuffer(12)); // packed: u64 rights, i32 fd
  rule.setBigUint64(0, rights, true);
  rule.setInt32(8, fd, true);
  check(libc, libc.addRule(ADD_RULE, ruleset, BigInt(PATH_BENEATH), rule, 0n), `landlock_add_rule ${path}`);
  libc.close(fd);
}
