/** Which folders of programs are opened to children beside the system's. @module */
import assert from "node:assert/strict";
import { foreignBinaryDirs } from "../../src/sandbox/system_paths.ts";

Deno.test("foreignBinaryDirs names each folder once, without what is open already or inside another", () => {
  const binaries = {
    ls: "/usr/bin/ls",
    mine: "/code/bin/mine",
    cargo: "/home/me/.cargo/bin/cargo",
    node: "/srv/node/bin/node",
    npm: "/srv/node/bin/npm",
    corepack: "/srv/node/bin/more/corepack",
    other: "/srv/node/binary/other",
  };
  assert.deepEqual(foreignBinaryDirs(binaries, ["/code", "/home/me/.cargo"]), ["/srv/node/bin", "/srv/node/binary"]);
});
