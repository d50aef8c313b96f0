/** The job that every client does, and the environment that says how to reach the server. */
import process from "node:process";

export const { BINARY, ROOT, URL: ADDRESS, TOKEN } = process.env;
export const STDIO = { command: BINARY, args: ["stdio", "--root", ROOT], env: { HOME: ROOT, PATH: "/usr/bin:/bin" } };
export const HEADERS = { Authorization: `Bearer ${TOKEN}` };

/** Writes, changes, reads and finds a file, runs a command, and reads so many times at once. */
async function doJob({ count, call }, parallel) {
  const name = `f${Math.random().toString(36).slice(2)}.txt`;
  await call("linux_fs_write", { path: name, content: "alpha\n" });
  await call("linux_fs_patch_block", { path: name, old_text: "alpha", new_text: `beta ${name}` });
  expect(await call("linux_fs_read", { path: name }), `beta ${name}`);
  expect(await call("linux_search_content", { pattern: `beta ${name}` }), name);
  expect(await call("run_cmd", { command: `cat ${name}` }), `beta ${name}`);
  const answers = await Promise.all(Array.from({ length: parallel }, () => call("linux_fs_read", { path: name })));
  for (const answer of answers) expect(answer, `beta ${name}`);
  if (!(count >= 20)) throw new Error(`${count} tools`);
  return count;
}

function expect(text, part) {
  if (!text.includes(part)) throw new Error(`expected '${part}', got: ${text}`);
}

/**
 * Runs a client over both transports, with thirty calls at once, and over HTTP ten of them that start together; prints how
 * it went.
 *
 * @param open Connects: how many tools are listed, how one is called (the text of its result), and how to close.
 * @param transports Those that the client speaks.
 */
export async function drive(open, transports = ["stdio", "http"]) {
  for (const transport of transports) {
    const start = () => open(transport);
    const count = await one(start, 30);
    if (transport === "http") await Promise.all(Array.from({ length: 10 }, () => one(start, 1)));
    console.log(JSON.stringify({ transport, tools: count }));
  }
  process.exit(0); // some clients keep a stream open
}

async function one(start, parallel) {
  const client = await start();
  try {
    return await doJob(client, parallel);
  } finally {
    await client.close();
  }
}
