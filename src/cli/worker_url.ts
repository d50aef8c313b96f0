/** Where the entry modules of the workers lie: beside the bundle, or in the source tree. @module */
import type { WorkerName } from "../sandbox/workers.ts";

const SOURCES: Readonly<Record<WorkerName, string>> = {
  broker: "../sandbox/broker.ts",
  spawner: "../sandbox/spawner.ts",
  server: "../app/server_worker.ts",
  indexer: "../app/indexer_worker.ts",
};

/** URL of a worker's entry module. */
export function workerUrl(name: WorkerName): URL {
  const bundled = !import.meta.url.endsWith(".ts");
  // The bundle keeps the entries' names and puts them all into one directory.
  const file = SOURCES[name].replace(/^.*\//, "").replace(/\.ts$/, ".js");
  return new URL(bundled ? `./${file}` : SOURCES[name], import.meta.url);
}
