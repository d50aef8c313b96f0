/** Where the entry modules of the workers lie: beside the bundle, or in the source tree. @module */
import type { WorkerName } from "../sandbox/workers.ts";
import { isBundled, ownUrl } from "../sys/own_files.ts";

const SOURCES: Readonly<Record<WorkerName, string>> = {
  broker: "src/sandbox/broker.ts",
  spawner: "src/sandbox/spawner.ts",
  server: "src/app/server_worker.ts",
  indexer: "src/app/indexer_worker.ts",
};

/** URL of a worker's entry module. */
export function workerUrl(name: WorkerName): URL {
  // The bundle keeps the entries' names and puts them all into one directory.
  const bundled = SOURCES[name].replace(/^.*\//, "").replace(/\.ts$/, ".js");
  return ownUrl(isBundled ? bundled : SOURCES[name]);
}
