import assert from "node:assert/strict";
import { makeToldHandles } from "../../src/call/told_handles.ts";
import { maskedHandles } from "../../src/store/masked_handles.ts";
import { openStore, withDirectory } from "../store/support.ts";

/** Takes longer for a piece of a text than all masking may take at once. */
function slowly(text: string): string {
  for (const end = performance.now() + 40; performance.now() < end;);
  return text;
}

Deno.test(
  "a call waits until the text that it put is stored, however long masking takes",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const masked = maskedHandles(store.handles, { mask: slowly, maskValue: (value) => value });
    const { handles, stored } = makeToldHandles(masked);
    const id = handles.put({ kind: "cmd", owner: "a", payload: "word\n".repeat(40_000) });
    const isStored = () => store.handles.list("a").some((handle) => handle.id === id);
    assert.equal(isStored(), false);
    await stored();
    assert.equal(isStored(), true);
  }),
);
