/**
 * Process on a file system that is nearly full, then read-only, mounted by `unshare` for this process alone. Prints
 * its observations as one JSON line.
 * @module
 */
import { makeWriter } from "../../src/sys/writer/writer.ts";

const [directory = ""] = Deno.args;
const writer = makeWriter({ kept: [], dataDir: `${directory}/data`, backupsBeside: false });
const path = `${directory}/file`, linked = `${directory}/linked`;
const old = "old content\n".repeat(2_000);
const large = new Uint8Array(400_000).fill(120);

/** The error's code and message, and whether everything is as it was. */
async function attempt(work: () => Promise<unknown>): Promise<string> {
  const before = await state();
  const error = await work().then(() => "no error", (error) => `${error.code} ${error.message}`);
  return `${error} | ${await state() === before ? "unchanged" : "CHANGED"}`;
}

async function state(): Promise<string> {
  const entries = await Array.fromAsync(Deno.readDir(directory), ({ name }) => name);
  const contents = await Promise.all([path, linked].map((file) => Deno.readTextFile(file)));
  return JSON.stringify([entries.filter((name) => name !== "data").sort(), contents]);
}

await Deno.writeTextFile(path, old);
await Deno.writeTextFile(linked, old);
await Deno.link(linked, `${directory}/linked2`);
const found: Record<string, string> = {
  write: await attempt(() => writer.change([path], (files) => files.write(path, large))),
  inPlace: await attempt(() => writer.change([linked], (files) => files.write(linked, large))),
  append: await attempt(() => writer.change([path], (files) => files.append(path, large))),
  create: await attempt(() => writer.change([directory], (files) => files.create(`${directory}/new`, large))),
  commit: await attempt(() =>
    writer.change([directory], (files) =>
      files.commit([
        { do: "write", path, data: large.subarray(0, 30_000) },
        { do: "create", path: `${directory}/sub/new`, data: large },
        { do: "remove", path: linked },
      ]))
  ),
};
const { success } = await new Deno.Command("mount", { args: ["-o", "remount,ro", directory] }).output();
if (success) {
  found["readOnly"] = await attempt(() => writer.change([path], (files) => files.write(path, new Uint8Array(1))));
}
// deno-lint-ignore no-console -- what this process is for
console.log(JSON.stringify(found));
