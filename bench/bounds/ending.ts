/** Measures how long the server takes to shut down under load. @module */
import { Sandbox, startHttp } from "../../tests/support/binary.ts";
import { makeGate } from "../../tests/support/gate.ts";
import { treeName } from "../../tests/support/process_tree.ts";
import { processesOf } from "../../tests/support/processes.ts";
import { dial } from "../../tests/support/raw_http.ts";
import { StdioPeer } from "../../tests/support/stdio_peer.ts";
import { type Bound, timed, until } from "./bound.ts";

const LIMIT_MS = 1_000;
const ENDINGS: readonly [string, (peer: StdioPeer) => void | Promise<void>][] = [
  ["the end of input", (peer) => peer.closeInput()],
  ["SIGTERM", (peer) => peer.kill("SIGTERM")],
];

/** @param binary The executable. */
export function endingBounds(binary: string): Bound[] {
  return [
    ...ENDINGS.map(([name, end]) => ({
      what: `${name} with calls under way ends the server on stdio`,
      limitMs: LIMIT_MS,
      measure: () => endStdio(binary, end),
    })),
    { what: "SIGTERM ends the server while a call ends", limitMs: LIMIT_MS, measure: () => endInShortCall(binary) },
    { what: "SIGTERM ends the server in a long call", limitMs: LIMIT_MS, measure: () => endInLongCall(binary) },
    { what: "SIGTERM ends the server with an open page", limitMs: LIMIT_MS, measure: () => endWithPage(binary) },
  ];
}

async function endStdio(binary: string, end: (peer: StdioPeer) => void | Promise<void>): Promise<number> {
  const mark = treeName(), command = `python3 -c 'import time; time.sleep(4711)' ${mark}`;
  await using sandbox = await Sandbox.make();
  await using peer = await StdioPeer.open(sandbox, { binary });
  await peer.call("linux_proc_start", { command });
  await peer.ask("tools/call", { name: "run_cmd", arguments: { command: `${command} & ${command}` } });
  const sleeping = new RegExp(`^\\S*python3 -c .*${mark}$`);
  await until(async () => (await processesOf(sleeping, peer.pid)).length === 3);
  return await timed(async () => {
    await end(peer);
    await peer.status;
  });
}

interface Server {
  readonly url: string;
  readonly token: string;
}

function run({ url, token }: Server, command: string): Promise<unknown> {
  return fetch(`${url}/tool`, {
    method: "POST",
    headers: { "X-LLMC-Token": token, "Content-Type": "application/json" },
    body: JSON.stringify({ session_id: "s", name: "run_cmd", args: { command } }),
  }).then((answer) => answer.text(), () => {}); // the server ends
}

async function endInShortCall(binary: string): Promise<number> {
  await using sandbox = await Sandbox.make();
  using gate = await makeGate(`${sandbox.root}/go`);
  await using server = await startHttp(sandbox, { binary });
  const answered = run(server, "bash -c 'echo >started; read line <go'");
  await until(() => Deno.stat(`${sandbox.root}/started`).then(() => true, () => false));
  return await timed(async () => {
    const stopped = server.stop();
    await until(() => dial(server).then((connection) => (connection.close(), false), () => true));
    await gate.pass();
    await Promise.all([answered, stopped]);
  });
}

async function endInLongCall(binary: string): Promise<number> {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox, { binary });
  const answered = run(server, "bash -c 'echo >started; while :; do read -t 600; done'");
  await until(() => Deno.stat(`${sandbox.root}/started`).then(() => true, () => false));
  return await timed(() => Promise.all([answered, server.stop()]));
}

async function endWithPage(binary: string): Promise<number> {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox, { binary });
  const headers = { "X-LLMC-Token": server.token };
  const page = await fetch(`${server.url}/ui/live?page=state`, { headers });
  return await timed(() => Promise.all([page.text().catch(() => ""), server.stop()]));
}
