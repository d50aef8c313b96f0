/** `llmc-mcp doctor`: what works here, what does not, and the command that would help. @module */
import { VERSION } from "../../core/version.ts";
import type { SandboxReport } from "../../sandbox/protocol.ts";
import { type ConfigFlags, resolve } from "../settings.ts";
import { EXIT, print, start } from "../start.ts";

/** One finding. */
interface Finding {
  readonly name: string;
  readonly state: "ok" | "warn" | "bad";
  readonly detail: string;
  /** What would make it better. */
  readonly help?: string;
}

/** Starts the sandbox, looks around, and reports. The exit code is 1 when something is broken. */
export async function doctor(flags: ConfigFlags & { readonly json?: boolean }): Promise<number> {
  const config = resolve(flags);
  const running = await start(config, { kind: "command" });
  const ripgrep = await running.server.ripgrep();
  const findings = [
    ...sandboxFindings(running.report),
    ...running.checks.map(({ name, outcome, detail }): Finding => ({
      name,
      state: outcome === "held" ? "ok" : outcome === "skipped" ? "warn" : "bad",
      detail,
    })),
    rootFinding(config.roots, config.unconfined),
    {
      name: "ripgrep",
      state: ripgrep.path ? "ok" : "warn",
      detail: ripgrep.path ? `${ripgrep.detail} at ${ripgrep.path}` : ripgrep.detail,
    } satisfies Finding,
    programsFinding(Object.keys(config.binaries), config.missingBinaries),
    { name: "configuration", state: "ok", detail: config.configFile ?? "defaults; no llmc.toml" } satisfies Finding,
    { name: "data directory", state: "ok", detail: config.dataDir } satisfies Finding,
    ...config.warnings.map((detail): Finding => ({ name: "warning", state: "warn", detail })),
  ];
  await running.stop();
  if (flags.json) print(`${JSON.stringify({ version: VERSION, ...running.report, findings }, null, 2)}\n`);
  else printFindings(running.report, findings);
  return findings.some(({ state }) => state === "bad") ? EXIT.failed : EXIT.ok;
}

function sandboxFindings(report: SandboxReport): Finding[] {
  const findings: Finding[] = [
    report.landlockAbi > 0
      ? { name: "Landlock", state: "ok", detail: `ABI ${report.landlockAbi}` }
      : { name: "Landlock", state: "warn", detail: "not available", help: report.advice },
    report.bubblewrap.works
      ? { name: "bubblewrap", state: "ok", detail: report.bubblewrap.version }
      : { name: "bubblewrap", state: "warn", detail: report.bubblewrap.reason, help: report.advice },
  ];
  if (report.root) {
    findings.push({
      name: "user",
      state: "warn",
      detail: "running as root",
      help: "Run it as the user whose files it works on.",
    });
  }
  return findings;
}

function rootFinding(roots: readonly string[], unconfined: boolean): Finding {
  const name = "roots";
  if (unconfined) return { name, state: "warn", detail: "the whole machine: nothing is confined to a folder" };
  if (roots.length > 0) return { name, state: "ok", detail: roots.join(", ") };
  return {
    name,
    state: "warn",
    detail: "none",
    help: "Set mcp.tools.allowed_roots in llmc.toml, or start with --root DIR.",
  };
}

function programsFinding(present: readonly string[], missing: readonly string[]): Finding {
  const absent = missing.length > 0 ? `; not installed: ${missing.join(", ")}` : "";
  return { name: "programs", state: "ok", detail: `${present.length} allowed${absent}` };
}

function printFindings(report: SandboxReport, findings: readonly Finding[]): void {
  const colour = Deno.stdout.isTerminal() && !Deno.env.get("NO_COLOR");
  const paint = (code: number, text: string) => colour ? `\x1b[${code}m${text}\x1b[0m` : text;
  const marks = { ok: paint(32, "ok  "), warn: paint(33, "warn"), bad: paint(31, "BAD ") };
  const width = Math.max(...findings.map(({ name }) => name.length));
  print(
    `llmc-mcp ${VERSION} · sandbox level: ${paint(1, report.level)}${
      report.unconfined ? " (unconfined roots)" : ""
    }\n\n`,
  );
  for (const { name, state, detail, help } of findings) {
    print(`${marks[state]}  ${name.padEnd(width)}  ${detail}\n`);
    if (help) print(`      ${" ".repeat(width)}  → ${help}\n`);
  }
}
