import assert from "node:assert/strict";
import { tempTree } from "../../support/temp_tree.ts";

Deno.test("a server that is killed while it writes leaves the old or the new content, and at most a temporary file", async () => {
  const script = new URL("../../support/endless_writer_child.ts", import.meta.url).pathname;
  for (let round = 0; round < 5; round++) {
    await using tree = await tempTree({ "dir/file": "", "data/": "" });
    const path = tree.path("dir/file");
    const args = ["run", "-A", "--no-check", script, path, tree.path("data")];
    const child = new Deno.Command(Deno.execPath(), { args, stdout: "piped", stderr: "null" }).spawn();
    const reader = child.stdout.getReader();
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 7 * round)); // somewhere else in a write each time
    child.kill("SIGKILL");
    await child.status;
    await reader.cancel();
    const content = await Deno.readFile(path);
    assert(content.length === 200_000 || content.length === 200_001, `${content.length} bytes`);
    assert(content.every((byte) => byte === 97 + content.length % 2));
    const names = await Array.fromAsync(Deno.readDir(tree.path("dir")), ({ name }) => name);
    assert(names.every((name) => name === "file" || /^\.llmc-[0-9a-f]{24}\.tmp$/.test(name)), names.join());
  }
});
