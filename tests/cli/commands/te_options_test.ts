/** Options of `llmc-mcp te`. @module */
import assert from "node:assert/strict";
import { readTeOptions, type TeOptions } from "../../../src/cli/commands/te_options.ts";

function read(...words: string[]): TeOptions {
  const options = readTeOptions(words);
  assert.ok(typeof options !== "string", String(options));
  return options;
}

Deno.test("te takes its own options only before the command", () => {
  const options = read("--json", "--agent", "a", "--session=s", "rg", "--json", "-i", "--stats", "--raw", "x");
  assert.equal(options.json, true);
  assert.equal(options.raw, false);
  assert.equal(options.agent, "a");
  assert.equal(options.session, "s");
  assert.deepEqual(options.command, ["rg", "--json", "-i", "--stats", "--raw", "x"]);
});

Deno.test("te takes everything behind -- as the command, also what looks like its options", () => {
  assert.deepEqual(read("--raw", "--", "--version", "--", "x").command, ["--version", "--", "x"]);
});

Deno.test("te reads handles and chunks, and options of the configuration", () => {
  const options = read("--root", "/a", "--root=/b", "--config", "c.toml", "--handle", "H_1", "--chunk", "3");
  assert.equal(options.handle, "H_1");
  assert.equal(options.chunk, 3);
  assert.deepEqual(options.config, { root: ["/a", "/b"], config: "c.toml", set: undefined, verbose: false });
  assert.equal(read("--verbose", "ls", "--verbose").config.verbose, true);
  assert.equal(read("ls", "--verbose").config.verbose, false);
});

Deno.test("te says what is wrong with its options", () => {
  assert.match(String(readTeOptions(["--jsn", "rg"])), /unknown option --jsn/);
  assert.match(String(readTeOptions(["--agent"])), /--agent needs a value/);
  assert.match(String(readTeOptions(["--handle", "H", "--chunk", "-1"])), /--chunk is a number/);
  assert.match(String(readTeOptions(["--chunk", "1", "rg"])), /--chunk goes with --handle/);
  assert.match(String(readTeOptions([])), /give one of/);
  assert.match(String(readTeOptions(["--stats", "rg", "x"])), /give one of/);
  assert.equal(readTeOptions(["--help"]), "");
  assert.equal(readTeOptions(["-h"]), "");
});
