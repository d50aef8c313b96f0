/** Asks whether the process may reserve the memory of the threads that record programs. @module */

/** Reserved by the engine for each thread, mostly without using it; measured with V8 14. */
const THREAD_BYTES = 550_000_000;
/** The thread that starts programs, which may be on its way, and the recorder. */
const THREADS = 2;

/** False where a limit of data (`ulimit -d`) is too small: a thread more would then end the process. */
export function hasRoomForRecorder(): boolean {
  const limit = /^Max data size +(\d+)/m.exec(Deno.readTextFileSync("/proc/self/limits"))?.[1];
  if (limit === undefined) return true; // unlimited
  const usedKiB = /^VmData:\s+(\d+) kB/m.exec(Deno.readTextFileSync("/proc/self/status"))?.[1];
  return Number(limit) - Number(usedKiB) * 1024 >= THREADS * THREAD_BYTES;
}
