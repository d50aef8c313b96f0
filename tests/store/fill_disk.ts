/**
 * Process with a small limit on file size: stores handles until one fails, prints the error, and continues to read.
 * @module
 */
import { OpsError } from "../../src/core/error.ts";
import { openStore } from "./support.ts";

const [dataDir = ""] = Deno.args;
using store = openStore({ dataDir });
const ids: string[] = [];
try {
  for (;;) ids.push(store.handles.put({ kind: "cmd", owner: "a", payload: "x".repeat(50_000) }));
} catch (error) {
  if (!(error instanceof OpsError)) throw error;
  const first = await store.handles.read(ids[0] ?? "", "a", { unit: "bytes", offset: 0, limit: 50_000 });
  const told = { code: error.code, message: error.message, kept: ids.length, read: first.returned };
  await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(told)));
}
