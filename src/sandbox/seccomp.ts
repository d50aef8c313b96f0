/** Builds seccomp filters: small BPF programs that refuse system calls, by number and by their arguments. @module */
import { check, type Libc } from "../sys/libc.ts";
import type { Architecture, SyscallName } from "./syscall_numbers.ts";

/** What an argument must be for a rule to apply. Only its lower 32 bits are looked at. */
export type Condition =
  /** Any of these bits is set. */
  | { readonly arg: number; readonly anyOf: number }
  /** None of these bits is set. */
  | { readonly arg: number; readonly noneOf: number }
  | { readonly arg: number; readonly equals: number }
  | { readonly arg: number; readonly notIn: readonly number[] };

/** Refuses a call when all conditions hold, or stops it until the filter's listener has looked at it. */
export interface SyscallRule {
  readonly call: SyscallName;
  readonly when?: readonly Condition[];
  /** Error number that the caller gets; EPERM when absent. */
  readonly errno?: number;
  /** Whether the call waits for the listener instead. */
  readonly waits?: boolean;
}

const EPERM = 1;
/** The call does not exist. */
export const ENOSYS = 38;
const LOAD = 0x20, JUMP_EQUAL = 0x15, JUMP_FROM = 0x35, JUMP_ANY_BIT = 0x45, RETURN = 0x06;
const ALLOW = 0x7fff0000, NOTIFY = 0x7fc00000, REFUSE = 0x00050000;
/** Offsets in struct seccomp_data; both architectures are little-endian, so the lower half of an argument comes first. */
const NUMBER = 0, ARCH = 4, ARGUMENTS = 16;
const INSTRUCTION_BYTES = 8, HEADER_BYTES = 16, LEAF_BLOCKS = 3, MAX_JUMP = 255;
const PR_SET_NO_NEW_PRIVS = 38, PR_SET_SECCOMP = 22, SECCOMP_MODE_FILTER = 2n;

/** One instruction: code, jump when true, jump when false, operand. */
type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, operand: number];

/** Compiles rules. Calls of any other architecture than the given one do not exist for the filtered program. */
export function compileFilter(
  { audit, numbers, foreignFrom }: Architecture,
  rules: readonly SyscallRule[],
): Uint8Array {
  const byNumber = new Map<number, Instruction[]>();
  for (const { call, when = [], errno = EPERM, waits = false } of rules) {
    const number = numbers[call];
    if (number === undefined) continue;
    const verdict: Instruction = waits ? [RETURN, 0, 0, NOTIFY] : refuse(errno);
    const body = [...compileConditions(when), verdict];
    // An argument may be in the accumulator afterwards.
    if (when.length > 0) body.push([LOAD, 0, 0, NUMBER]);
    byNumber.set(number, [...byNumber.get(number) ?? [], [JUMP_EQUAL, 0, body.length, number], ...body]);
  }
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCH],
    [JUMP_EQUAL, 1, 0, audit],
    refuse(ENOSYS),
    [LOAD, 0, 0, NUMBER],
    ...foreignFrom === null ? [] : [[JUMP_FROM, 0, 1, foreignFrom] as const, refuse(ENOSYS)],
    ...searchTree([...byNumber].sort(([one], [other]) => one - other)),
  ];
  return encode(program);
}

/**
 * Halves the numbers until few are left: the kernel tries the program with every number when it is installed, which a chain
 * of sixty comparisons would make the dearest part of starting a child.
 */
function searchTree(blocks: readonly (readonly [number: number, code: readonly Instruction[]])[]): Instruction[] {
  if (blocks.length <= LEAF_BLOCKS) return [...blocks.flatMap(([, code]) => code), [RETURN, 0, 0, ALLOW]];
  const middle = blocks.length >> 1, pivot = blocks[middle]?.[0] ?? 0;
  const below = searchTree(blocks.slice(0, middle));
  return [[JUMP_FROM, below.length, 0, pivot], ...below, ...searchTree(blocks.slice(middle))];
}

const refuse = (errno: number): Instruction => [RETURN, 0, 0, REFUSE | errno];

/** Falls through when all hold, else jumps behind the refusal that follows. */
function compileConditions(conditions: readonly Condition[]): Instruction[] {
  let after: Instruction[] = [];
  for (const condition of conditions.toReversed()) {
    const past = after.length + 1; // the rest, and the refusal
    after = [[LOAD, 0, 0, ARGUMENTS + 8 * condition.arg], ...test(condition, past), ...after];
  }
  return after;
}

function test(condition: Condition, past: number): Instruction[] {
  if ("anyOf" in condition) return [[JUMP_ANY_BIT, 0, past, condition.anyOf]];
  if ("noneOf" in condition) return [[JUMP_ANY_BIT, past, 0, condition.noneOf]];
  if ("equals" in condition) return [[JUMP_EQUAL, 0, past, condition.equals]];
  return condition.notIn.map((value, index) => [JUMP_EQUAL, past + condition.notIn.length - 1 - index, 0, value]);
}

function encode(program: readonly Instruction[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(program.length * INSTRUCTION_BYTES));
  program.forEach(([code, jumpTrue, jumpFalse, operand], index) => {
    const at = index * INSTRUCTION_BYTES;
    if (Math.max(jumpTrue, jumpFalse) > MAX_JUMP) throw new Error("the filter is too long for its jumps");
    view.setUint16(at, code, true);
    view.setUint8(at + 2, jumpTrue);
    view.setUint8(at + 3, jumpFalse);
    view.setUint32(at + 4, operand, true);
  });
  return new Uint8Array(view.buffer);
}

/**
 * Puts the calling thread, and all that it starts from now on, under a filter for good.
 *
 * @throws Error when the kernel refuses it
 */
export function installFilter(libc: Libc, program: Uint8Array): void {
  forbidNewPrivileges(libc);
  const header = programHeader(program);
  check(libc, libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, addressOf(header), 0n, 0n), "prctl(PR_SET_SECCOMP)");
}

/** struct sock_fprog (u16 length, pointer) and after it the instructions, in one piece that the caller keeps until the call. */
export function programHeader(program: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + program.length), header = new DataView(bytes.buffer);
  bytes.set(program, HEADER_BYTES);
  header.setUint16(0, program.length / INSTRUCTION_BYTES, true);
  header.setBigUint64(8, addressOf(bytes) + BigInt(HEADER_BYTES), true);
  return bytes;
}

/** Nothing that this thread starts gains rights from a setuid program; a filter and a domain need it. */
export function forbidNewPrivileges(libc: Libc): void {
  check(libc, libc.prctl(PR_SET_NO_NEW_PRIVS, 1n, 0n, 0n, 0n), "prctl(PR_SET_NO_NEW_PRIVS)");
}

function addressOf(bytes: Uint8Array<ArrayBuffer>): bigint {
  return BigInt(Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes)));
}
