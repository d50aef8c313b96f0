import assert from "node:assert/strict";
import { withDirectory } from "./support.ts";

Deno.test(
  "stores, log, metrics and audit need no permission but their directory",
  withDirectory(async (directory) => {
    const path = await Deno.realPath(directory);
    const permissions: Deno.PermissionOptions = {
      read: [path],
      write: [path],
      env: false,
      sys: false,
      run: false,
      net: false,
      ffi: false,
      import: false,
    };
    const url = new URL("narrowed_worker.ts", import.meta.url).href;
    const worker = new Worker(url, { type: "module", deno: { permissions } });
    try {
      const answer = await new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => {
          event.preventDefault();
          reject(new Error(event.message));
        };
        worker.postMessage(`${path}/data`);
      });
      assert.deepEqual(answer, { total: 200_000, calls: 1, scrape: true, problems: [] });
    } finally {
      worker.terminate();
    }
  }),
);
