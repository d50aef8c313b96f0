/** Lists the services that systemd runs. @module */
import { makeFresh } from "./fresh.ts";
import { findHostProgram, runHostProgram } from "./host_program.ts";
import type { HostText, MachineFacts } from "./machine_facts.ts";
import { readFixed } from "./read_fixed.ts";

const ARGS = ["list-units", "--type=service", "--all", "--full", "--plain", "--no-legend", "--no-pager"];
const BOUNDS = { timeoutMs: 3_000, maxBytes: 1024 * 1024 };
const LIFE_MS = 1_000;

/** Makes the reader. */
export function makeServiceFacts({ roots }: { readonly roots: readonly string[] }): Pick<MachineFacts, "services"> {
  return { services: makeFresh(() => readServices(roots), LIFE_MS) };
}

async function readServices(roots: readonly string[]): Promise<HostText> {
  const nothing = (reason: string): HostText => ({ source: null, text: "", reason, cut: false });
  // The directory that systemd makes when it is the first process: its programs may be installed without that.
  if (!await Deno.stat("/run/systemd/system").then(({ isDirectory }) => isDirectory, () => false)) {
    return nothing(`systemd does not run here; process 1 is '${await readFixed("/proc/1/comm") || "unknown"}'`);
  }
  const program = await findHostProgram("systemctl", roots);
  if (program === null) return nothing("systemctl is not installed");
  const { stdout, complaint, cut } = await runHostProgram(program, ARGS, BOUNDS);
  if (stdout === "") return nothing(`systemctl answered nothing${complaint && `: ${complaint.split("\n")[0]}`}`);
  return { source: "systemd", text: stdout, reason: "", cut };
}
