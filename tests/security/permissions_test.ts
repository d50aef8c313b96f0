/** The Deno permissions of the server's thread: the complete list, as the program itself reports it. @module */
import assert from "node:assert/strict";
import { findRipgrep } from "../../src/sys/search/find_ripgrep.ts";
import { BINARY, runBinary, Sandbox, startHttp } from "../support/binary.ts";

/** A change of this list is a change of what an attacker inside the server could do. */
const HELD = ["read ROOT", "read STORE", "write ROOT", "write STORE", "run RIPGREP"];

interface Finding {
  readonly name: string;
  readonly state: string;
  readonly detail: string;
}

Deno.test("the server worker holds the permissions that are listed here, and no other", async () => {
  await using sandbox = await Sandbox.make();
  const { stdout } = await runBinary(["doctor", "--json", "--root", sandbox.root], { env: sandbox.env });
  const findings: Finding[] = JSON.parse(stdout).findings;
  const found = findings.find(({ name }) => name === "permissions of the server");
  const { path: ripgrep } = await findRipgrep({
    searchPath: ["/usr/local/bin", "/usr/bin", "/bin"],
    assets: { list: () => Promise.resolve({}), read: () => Promise.reject(new Error("none")) },
    cacheDir: `${sandbox.dir}/state/llmc-mcp/bin`,
  });
  const store = await sandbox.storeDir();
  const detail = found?.detail.replaceAll(sandbox.root, "ROOT").replaceAll(store, "STORE")
    .replace(ripgrep ?? /\S+\/bin\/rg\S*/, "RIPGREP");
  assert.deepEqual({ state: found?.state, held: detail?.split(", ") }, { state: "ok", held: HELD });
});

Deno.test("a server over HTTP starts, and so holds one address more and nothing else, however it is written", async () => {
  for (const host of ["127.0.0.1", "localhost", "::1"]) {
    await using sandbox = await Sandbox.make();
    // More than was meant, or less, ends the start.
    await using server = await startHttp(sandbox, { binary: BINARY, args: ["--host", host] });
    const answer = await fetch(`${server.url}/health`);
    await answer.body?.cancel();
    assert.equal(answer.status, 200, host);
  }
});
