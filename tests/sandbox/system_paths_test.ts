/** Which folders of programs are opened to children beside the system's. @module */
import assert from "node:assert/strict";
import { foreignPrograms } from "../../src/sandbox/system_paths.ts";

Deno.test("foreignPrograms names each folder once, without what is open already or inside another", () => {
  const binaries = {
    ls: "/usr/bin/ls",
    mine: "/code/bin/mine",
    cargo: "/home/me/.cargo/bin/cargo",
    node: "/srv/node/bin/node",
    npm: "/srv/node/bin/npm",
    corepack: "/srv/node/bin/more/corepack",
    other: "/srv/node/binary/other",
    own: "/home/me/own",
  };
  const config = { binaries, roots: ["/code"], homeDir: "/home/me", dataDir: "/home/me/.local/state/llmc-mcp" };
  assert.deepEqual(foreignPrograms(config, ["/home/me/.cargo"]), ["/srv/node/bin", "/srv/node/binary", "/home/me/own"]);
});
