/** Measures how long single calls of the running server take, alone and beside others. @module */
import { Sandbox } from "../../tests/support/binary.ts";
import { treeName } from "../../tests/support/process_tree.ts";
import { isAlive, pidsOf } from "../../tests/support/processes.ts";
import { StdioPeer } from "../../tests/support/stdio_peer.ts";
import { INFO_TYPES } from "../../src/tools/sys/describe_machine.ts";
import { type Bound, timed, until } from "./bound.ts";

const AT_ONCE = 8, PINGS = 20;

/** @param binary The executable. */
export function workingBounds(binary: string): Bound[] {
  const call = (what: string, limitMs: number, name: string, args: Record<string, unknown> = {}): Bound => ({
    what,
    limitMs,
    measure: () => withPeer(binary, (peer) => timed(() => peer.call(name, args))),
  });
  return [
    { what: "a cancelled call ends its program", limitMs: 100, measure: () => withPeer(binary, cancel) },
    { what: `the slowest answer beside ${AT_ONCE} slow calls`, limitMs: 100, measure: () => withPeer(binary, pings) },
    ...INFO_TYPES.map((type) => call(`\`linux_sys_info\` of ${type}`, 500, "linux_sys_info", { info_type: type })),
    call("`linux_sys_snapshot`", 500, "linux_sys_snapshot"),
    call("`system_health`", 500, "linux_mcp_run_onboarding", { flow_name: "system_health" }),
  ];
}

/** On a server of its own: what another one has read before would serve again. */
async function withPeer(binary: string, measure: (peer: StdioPeer) => Promise<number>): Promise<number> {
  await using sandbox = await Sandbox.make();
  await using peer = await StdioPeer.open(sandbox, { binary });
  return await measure(peer);
}

/** Starts a call that would go on for long. @returns its request, and the programs of it when they run */
async function sleep(peer: StdioPeer, mark: string): Promise<number> {
  const command = `python3 -c 'import time; time.sleep(4731)' ${mark}`;
  return await peer.ask("tools/call", { name: "run_cmd", arguments: { command } });
}

const sleeping = (mark: string) => pidsOf(new RegExp(`^\\S*python3 -c .*${mark}$`));

async function cancel(peer: StdioPeer): Promise<number> {
  const mark = treeName(), requestId = await sleep(peer, mark);
  let pids: number[] = [];
  await until(async () => (pids = await sleeping(mark)).length > 0);
  return await timed(async () => {
    await peer.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    await until(() => !pids.some(isAlive));
  });
}

async function pings(peer: StdioPeer): Promise<number> {
  const mark = treeName();
  for (let count = 0; count < AT_ONCE; count++) await sleep(peer, mark);
  await until(async () => (await sleeping(mark)).length === AT_ONCE);
  let slowestMs = 0;
  for (let count = 0; count < PINGS; count++) slowestMs = Math.max(slowestMs, await timed(() => peer.request("ping")));
  return slowestMs;
}
