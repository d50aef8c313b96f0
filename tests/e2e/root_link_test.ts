/** A root that is named through a symbolic link accepts its own spelling, for tools and for commands. @module */
import assert from "node:assert/strict";
import { Sandbox, TEST_BINARY } from "../support/binary.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

for (const level of ["full", "landlock"]) {
  Deno.test(`${level}: every spelling of a root that is a link works, and what is outside stays closed`, async () => {
    await using sandbox = await Sandbox.make({ "f.txt": "inside\n", "deep/g.txt": "deep\n" });
    const { dir } = sandbox;
    await Deno.writeTextFile(`${dir}/outside.txt`, "outside\n");
    await Deno.symlink("root", `${dir}/link`);
    await Deno.symlink(".", `${dir}/above`);
    const env = { LLMC_TEST_LEVEL: level };
    for (const root of [`${dir}/link`, `${dir}/above/root`, `${dir}/link/`, `${dir}/above/link`]) {
      const args = ["--root", root];
      await using peer = await StdioPeer.open(sandbox, {
        args,
        env: level === "full" ? {} : env,
        binary: TEST_BINARY,
        withoutRoot: true,
      });
      const spelled = root.replace(/\/$/, "");
      for (const path of ["f.txt", `${dir}/root/f.txt`, `${spelled}/f.txt`]) {
        assert.match(await peer.call("linux_fs_read", { path }), /^inside/, path);
      }
      assert.match(
        await peer.call("linux_fs_write", { path: `${spelled}/new.txt`, content: "n\n" }),
        /^(?:created|wrote) new\.txt/,
      );
      assert.match(await peer.call("linux_search_content", { pattern: "deep", root: `${spelled}/deep` }), /g\.txt/);
      assert.match(
        await peer.call("run_cmd", { command: `cat ${spelled}/f.txt && cat g.txt`, cwd: `${spelled}/deep` }),
        /inside\ndeep/,
      );
      for (const path of [`${spelled}/../outside.txt`, `${dir}/outside.txt`, `${spelled}x/f.txt`]) {
        assert.match(await peer.call("linux_fs_read", { path }), /^INVALID_PATH/, path);
      }
      assert.doesNotMatch(await peer.call("run_cmd", { command: `cat ${dir}/outside.txt` }), /^outside/);
    }
  });
}
