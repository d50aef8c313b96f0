/**
 * A second process repeatedly swaps a file for a pipe while tools open it, where a blocking open would wait for ever.
 * @module
 */
import assert from "node:assert/strict";
import { type Flipper, makeFlipper } from "../../bench/security/flipper.ts";
import { Sandbox } from "../support/binary.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

/** For each tool. Where an open may wait, the server hangs within a few of these. */
const CALLS = 40;
const MOST_ROUNDS = 20;

const DIFF = "--- a/file.txt\n+++ b/file.txt\n@@ -1,1 +1,1 @@\n-line\n+line\n";

/** Calls that open what has the name; each must be answered, by a result or an error. */
const TOOLS: readonly (readonly [tool: string, args: Record<string, unknown>, file: string])[] = [
  ["linux_fs_read", { path: "file.txt" }, "file.txt"],
  ["linux_fs_read", { path: "file.txt", offset_lines: -2 }, "file.txt"],
  ["linux_fs_stat", { path: "file.txt" }, "file.txt"],
  ["linux_fs_write", { path: "file.txt", content: "line\n" }, "file.txt"],
  ["linux_fs_write", { path: "file.txt", content: "line\n", mode: "append" }, "file.txt"],
  ["linux_fs_patch_block", { path: "file.txt", old_text: "line", new_text: "line" }, "file.txt"],
  ["linux_fs_apply_diff", { diff_text: DIFF }, "file.txt"],
  ["linux_fs_list", { path: ".", respect_gitignore: true }, ".gitignore"],
];

Deno.test("no tool can be made to wait for ever by a pipe in the place of a file", async () => {
  await using flipper = await makeFlipper();
  await using sandbox = await Sandbox.make({ "file.txt": "line\n", ".gitignore": "out\n" });
  const { success } = await new Deno.Command("mkfifo", { args: [`${sandbox.root}/pipe`] }).output();
  assert.ok(success);
  await using peer = await StdioPeer.open(sandbox, { ignoresErrors: true });
  for (const [tool, args, file] of TOOLS) await raceOne(flipper, sandbox, peer, tool, args, file);
  // The last swap may have left the pipe under the name.
  await Deno.remove(`${sandbox.root}/file.txt`);
  await sandbox.write("file.txt", "line\n");
  assert.match(await peer.call("linux_fs_read", { path: "file.txt" }), /^line/);
});

async function raceOne(
  flipper: Flipper,
  { root, dir }: Sandbox,
  peer: StdioPeer,
  tool: string,
  args: Record<string, unknown>,
  file: string,
): Promise<void> {
  const answers = new Set<string>();
  let swaps = 0;
  // On a busy machine all calls may be over before anything was swapped.
  for (let round = 0; round < MOST_ROUNDS && swaps <= CALLS; round++) {
    const flipping = await flipper.start(`${root}/${file}`, `${root}/pipe`, 0, dir);
    for (let call = 0; call < CALLS; call++) answers.add(await peer.call(tool, args));
    swaps += (await flipping.stop()).swaps;
  }
  assert.ok(swaps > CALLS, `${tool}: only ${swaps} swaps`);
  for (const answer of answers) assert.doesNotMatch(answer, /INTERNAL|TIMEOUT/, tool);
}
