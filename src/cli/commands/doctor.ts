/** `llmc-mcp doctor`: reports what works on this machine, what does not, and the command that would fix it. @module */
import type { Config } from "../../config/resolve.ts";
import { VERSION } from "../../core/version.ts";
import { SandboxLeak } from "../../sandbox/launch.ts";
import { type MachineSettings, readMachineSettings } from "../../sandbox/machine_settings.ts";
import type { SandboxReport } from "../../sandbox/protocol.ts";
import { thisMachine } from "../../sys/machine.ts";
import { checkConfiguration } from "../doctor/check_configuration.ts";
import { checkHttp } from "../doctor/check_http.ts";
import { checkFinding, checkSandbox } from "../doctor/check_sandbox.ts";
import { checkServer } from "../doctor/check_server.ts";
import { checkDataDir, checkRoots, checkTemporary, isUsable } from "../doctor/check_storage.ts";
import { type Finding, finding } from "../doctor/finding.ts";
import { printFindings } from "../doctor/print_findings.ts";
import type { ConfigFlags } from "../settings.ts";
import { EXIT, print } from "../output.ts";
import { startOrThrow } from "../start.ts";

/**
 * Looks at everything that a server needs, starts one, and reports. Whatever is wrong becomes a finding: the exit code
 * is 1 when something is broken, else 0.
 */
export async function doctor(flags: ConfigFlags & { readonly json?: boolean }): Promise<number> {
  // In this order, because the start wipes the environment and gives rights away.
  const machine = readMachineSettings(thisMachine().container);
  const { config, isUsable: isConfigured, findings: ofConfiguration } = checkConfiguration(flags);
  const ofDataDir = isConfigured ? checkDataDir(config) : [];
  const before = [
    ...ofConfiguration,
    ...isConfigured ? [...checkRoots(config), ...ofDataDir, checkTemporary(), ...await checkHttp(config)] : [],
  ];
  const { report, findings: ofServer } = await withUsableDataDir(
    isConfigured && isUsable(ofDataDir) ? config : null,
    config,
    (usable) => examine(usable, machine),
  );
  const findings = [...ofServer, ...before];
  if (flags.json) print(`${JSON.stringify({ version: VERSION, ...report, findings }, null, 2)}\n`);
  else printFindings(report, findings);
  return findings.some(({ state }) => state === "bad") ? EXIT.failed : EXIT.ok;
}

interface Examined {
  readonly report: SandboxReport | null;
  readonly findings: readonly Finding[];
}

/** Where the data directory cannot be used, the sandbox is tried with one for the moment. */
async function withUsableDataDir(
  usable: Config | null,
  config: Config,
  work: (config: Config) => Promise<Examined>,
): Promise<Examined> {
  if (usable) return await work(usable);
  const dataDir = await Deno.realPath(await Deno.makeTempDir({ prefix: "llmc-doctor-" }));
  try {
    return await work({ ...config, dataDir, settings: { ...config.settings, data_dir: dataDir } });
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}

/** Starts a server without any transport, and asks it. */
async function examine(config: Config, machine: MachineSettings): Promise<Examined> {
  const quiet = withoutLog(config);
  const crash = Promise.withResolvers<never>();
  crash.promise.catch(() => {}); // a crash after the end does not matter
  try {
    const starting = startOrThrow(
      quiet,
      { kind: "command" },
      (thread, message) => crash.reject(new Error(`the ${thread} thread failed: ${message}`)),
    );
    const running = await Promise.race([starting, crash.promise]);
    const ofServer = await Promise.race([checkServer(running.server, config, machine), crash.promise]);
    await running.stop();
    const { report, checks } = running;
    return { report, findings: [...checkSandbox(report, checks, config, machine), ...ofServer] };
  } catch (error) {
    if (error instanceof SandboxLeak) {
      return {
        report: null,
        findings: error.checks.map((check) => checkFinding(check, false)),
      };
    }
    const detail = `the server does not start: ${error instanceof Error ? error.message : error}`;
    return { report: null, findings: [finding("start", "bad", detail)] };
  }
}

/** What the log would warn of is among the findings. */
function withoutLog({ settings, origins, ...rest }: Config): Config {
  const observability = { ...settings.observability, log_level: "error" as const };
  return {
    ...rest,
    settings: { ...settings, observability },
    origins: { ...origins, "mcp.observability.log_level": "cli" },
  };
}
