/** Creates the threads of this process, from the sources or from the executable's embedded scripts. @module */
import type { WorkerName } from "../sandbox/workers.ts";
import { isBundled, ownUrl } from "../sys/own_files.ts";
import { EXECUTABLE, openPack } from "../sys/pack.ts";
import { hasScript, scriptFrom } from "../sys/script.ts";

const SOURCES: Readonly<Record<WorkerName, string>> = {
  broker: "src/sandbox/broker.ts",
  spawner: "src/sandbox/spawner.ts",
  recorder: "src/sandbox/recorder/recorder.ts",
  server: "src/app/server_worker.ts",
  indexer: "src/app/indexer_worker.ts",
  script: "src/app/script_worker.ts",
  condenser: "src/app/condenser_worker.ts",
};

/** Starts a thread with no more than these permissions; messages to it wait until its modules are read. */
export function makeThread(name: WorkerName, permissions: Deno.PermissionOptions): Worker {
  const options = { type: "module", name, deno: { permissions } } as const;
  if (!isBundled) return new Worker(ownUrl(SOURCES[name]), options);
  const pack = openPack(EXECUTABLE);
  if (!hasScript(pack, name)) return new Worker(ownUrl(`${name}.js`), options); // built without compiled code
  const script = scriptFrom(pack, name);
  const worker = new Worker(ownUrl("worker.js"), options);
  worker.postMessage(script, [script.source.buffer, ...script.cachedData ? [script.cachedData.buffer] : []]);
  return worker;
}
