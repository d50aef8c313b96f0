/** Scripts in the executable, over the wire: what they do, and that their thread holds nothing up and leaves nothing. @module */
import assert from "node:assert/strict";
import { Sandbox } from "../support/binary.ts";
import { StdioPeer, textOf } from "../support/stdio_peer.ts";

const FILES = { "a.txt": "hello\n", "src/x.js": "one();\n", "src/y.js": "two();\nthree();\n" };

Deno.test("a script reads, searches, runs and changes files in one call, and each change can be undone", async () => {
  await using sandbox = await Sandbox.make(FILES);
  await using peer = await StdioPeer.open(sandbox, { args: ["--set", "mcp.tools.list=core"] });
  assert.match(await peer.call("more", { tool: "script" }), /^script \{code: string\}[^]*\nfs\.read\(path/);
  const code = `
    for (const { path } of fs.list("src").entries) {
      const { content } = fs.read(path);
      fs.write(path, content.replaceAll("();", "(1);") + "\\n");
      print(path, run("wc -l < " + path).stdout.trim());
    }`;
  assert.equal(await peer.call("more", { tool: "script", arguments: { code } }), "src/x.js 1\nsrc/y.js 2");
  assert.equal(await Deno.readTextFile(`${sandbox.root}/src/y.js`), "two(1);\nthree(1);\n");
  await peer.call("linux_fs_undo");
  assert.equal(await Deno.readTextFile(`${sandbox.root}/src/y.js`), FILES["src/y.js"]);
  const failed = await peer.request("tools/call", { name: "script", arguments: { code: "\nfs.read('/etc/passwd')" } });
  assert.match(textOf(failed), /INVALID_PATH.* · line 2/);
  assert.equal(Object(failed.result).isError, true);
});

Deno.test("other calls are answered while a script waits or computes, and the end of input ends it", async () => {
  await using sandbox = await Sandbox.make(FILES);
  await using peer = await StdioPeer.open(sandbox);
  const code = 'run("until [ -e go ]; do sleep 0.05; done"); print("went")';
  const id = await peer.ask("tools/call", { name: "script", arguments: { code } });
  assert.match(await peer.call("linux_fs_read", { path: "a.txt" }), /hello/); // the very next frame
  await Deno.writeTextFile(`${sandbox.root}/go`, "");
  assert.equal(textOf(await peer.until((frame) => frame.id === id)), "went");
  await peer.ask("tools/call", { name: "script", arguments: { code: "for (;;);" } });
  await peer.closeInput();
  assert.ok((await peer.status).success);
});
