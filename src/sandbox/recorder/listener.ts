/** Binds seccomp's user notification: calls of programs that wait for an answer of this process. @module */
import type { Libc } from "../../sys/libc.ts";
import { check } from "../../sys/libc.ts";
import { forbidNewPrivileges, programHeader } from "../seccomp.ts";
import { ARCHITECTURES } from "../syscall_numbers.ts";
import type { RecorderLibc } from "./kernel.ts";

const SET_MODE_FILTER = 1n, NEW_LISTENER = 1n << 3n, WAIT_KILLABLE = 1n << 5n;
const RECEIVE = 0xc0502100n, SEND = 0xc0182101n, ID_VALID = 0x40082102n, SET_FLAGS = 0x40082104n;
const SYNC_WAKE_UP = 1n, CONTINUE = 1;
const NOTIFICATION_BYTES = 80, RESPONSE_BYTES = 24;

/** A call that waits. */
export interface WaitingCall {
  /** Of the thread that called, as this process sees it. */
  readonly tid: number;
  readonly number: number;
  argument(index: number): bigint;
  /** The same as a descriptor or flags: its lower half, with a sign. */
  int(index: number): number;
}

/**
 * Puts the calling thread, and all that it starts from now on, under a filter whose waiting calls arrive at the descriptor
 * that is returned. A signal that does not end a program does not interrupt a call that is being looked at, where the
 * kernel can do that.
 *
 * @throws Error when the kernel refuses it
 */
export function installListener(libc: Libc, program: Uint8Array): number {
  forbidNewPrivileges(libc);
  const header = programHeader(program), number = BigInt(ARCHITECTURES[Deno.build.arch].numbers.seccomp ?? 0);
  for (const flags of [NEW_LISTENER | WAIT_KILLABLE, NEW_LISTENER]) {
    const fd = libc.seccomp(number, SET_MODE_FILTER, flags, header);
    if (fd >= 0n) return Number(fd);
  }
  return Number(check(libc, -1, "seccomp(NEW_LISTENER)"));
}

/** One listener. */
export interface CallListener {
  /**
   * Waits for calls until no thread and no program is left that can make one, and lets each go on after `look`.
   *
   * @param look Reads what the call is about; `isThere` says whether the program still waits, so that what was read is its own.
   */
  serve(look: (call: WaitingCall, isThere: () => boolean) => void): void;
}

/** @param fd As {@link installListener} returned it, of any thread of this process. */
export function openListener(libc: RecorderLibc, fd: number): CallListener {
  const notification = new Uint8Array(NOTIFICATION_BYTES), view = new DataView(notification.buffer);
  const response = new Uint8Array(RESPONSE_BYTES), answer = new DataView(response.buffer);
  const id = notification.subarray(0, 8);
  libc.setFlags(fd, SET_FLAGS, SYNC_WAKE_UP); // an older kernel wakes the other thread a little later
  answer.setUint32(20, CONTINUE, true);
  const call: WaitingCall = {
    get tid() {
      return view.getUint32(8, true);
    },
    get number() {
      return view.getInt32(16, true);
    },
    argument: (index) => view.getBigUint64(32 + 8 * index, true),
    int: (index) => view.getInt32(32 + 8 * index, true),
  };
  return {
    serve(look) {
      while (isUsed(libc, fd)) {
        notification.fill(0); // the kernel refuses anything else
        if (libc.ioctl(fd, RECEIVE, notification) !== 0) continue; // that program has just ended
        try {
          look(call, () => libc.ioctl(fd, ID_VALID, id) === 0);
        } finally {
          answer.setBigUint64(0, view.getBigUint64(0, true), true);
          libc.ioctl(fd, SEND, response); // it may have ended meanwhile
        }
      }
    },
  };
}

const POLLIN = 0x1, POLLHUP = 0x10, WITHOUT_LIMIT = -1;

/** Waits for a call; false when no thread and no program is left under the filter. */
function isUsed(libc: RecorderLibc, fd: number): boolean {
  const entry = new DataView(new ArrayBuffer(8)); // struct pollfd
  entry.setInt32(0, fd, true);
  entry.setInt16(4, POLLIN, true);
  libc.poll(new Uint8Array(entry.buffer), 1n, WITHOUT_LIMIT);
  return (entry.getInt16(6, true) & POLLHUP) === 0;
}
