/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/** Asks for an index in a thread that may write nowhere. @module */
import { OpsError } from "../../src/core/error.ts";
import { openTestIndex } from "./test_index.ts";

self.onmessage = async ({ data: { root, dataDir } }: MessageEvent<{ root: string; dataDir: string }>) => {
  const { index } = openTestIndex(root, dataDir);
  try {
    await index.search({ q: "toad", scope: "both", k: 1, budgetTokens: 600 });
    self.postMessage({ code: "none", message: "it answered" });
  } catch (error) {
    const code = error instanceof OpsError ? error.code : "other";
    self.postMessage({ code, message: error instanceof Error ? error.message : String(error) });
  }
};
