import assert from "node:assert/strict";
import { tempTree } from "../../support/temp_tree.ts";
import { needing, OWN_MOUNTS } from "../../support/needs.ts";

/** A process of its own user and mount namespace may mount a small file system for itself. */
async function unshared(script: string): Promise<{ readonly success: boolean; readonly text: string }> {
  try {
    const { success, stdout, stderr } = await new Deno.Command("unshare", { args: ["-Urm", "sh", "-c", script] })
      .output();
    return { success, text: new TextDecoder().decode(success ? stdout : stderr) };
  } catch {
    return { success: false, text: "no unshare" };
  }
}

Deno.test(
  needing("a disk that is really full, or read-only, leaves every file as it was and no litter", OWN_MOUNTS),
  async () => {
    await using tree = await tempTree();
    const child = new URL("../../support/full_disk_child.ts", import.meta.url).pathname;
    const script =
      `mount -t tmpfs -o size=256k none ${tree.root} && exec ${Deno.execPath()} run -A --no-check ${child} ${tree.root}`;
    const { success, text } = await unshared(script);
    assert(success, text);
    const { readOnly = "", ...full } = JSON.parse(text);
    for (const [name, found] of Object.entries(full)) {
      assert.match(String(found), /^WRITE_FAILED .*the disk is full \| unchanged$/, name);
    }
    assert.equal(Object.keys(full).length, 5);
    if (readOnly !== "") assert.match(readOnly, /^WRITE_FAILED .*the file system is read-only \| unchanged$/);
  },
);
