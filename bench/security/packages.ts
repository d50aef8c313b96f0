/** Lists the packages in the executable and their known vulnerabilities. @module */
import type { PackageAudit } from "../../scripts/reports/security.ts";
import type { Component } from "../../scripts/release/embedded.ts";
import { npmComponents } from "../../scripts/release/npm_components.ts";

const AUDIT_TIMEOUT_MS = 120_000;

/** Lists the packages and asks npm's registry about them. */
export async function auditPackages(): Promise<PackageAudit> {
  const packages = await npmComponents();
  return { packages, advisories: await advisoriesFor(packages) };
}

/** What `npm audit` says of a project that depends on nothing else. */
async function advisoriesFor(packages: readonly Component[]): Promise<string[] | null> {
  const dir = await Deno.makeTempDir({ prefix: "llmc-audit-" });
  try {
    const dependencies = Object.fromEntries(packages.map(({ name, version }) => [name, version]));
    await Deno.writeTextFile(
      `${dir}/package.json`,
      JSON.stringify({ name: "audited", version: "1.0.0", dependencies }),
    );
    await npm(dir, ["install", "--package-lock-only", "--ignore-scripts", "--legacy-peer-deps", "--no-fund"]);
    const report: { vulnerabilities?: Record<string, { severity: string }>; error?: unknown } = JSON.parse(
      await npm(dir, ["audit", "--json"]),
    );
    if (report.error !== undefined || report.vulnerabilities === undefined) return null;
    return Object.entries(report.vulnerabilities).map(([name, { severity }]) => `${name}: ${severity}`);
  } catch {
    return null; // no npm, or no network
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function npm(cwd: string, args: readonly string[]): Promise<string> {
  const { stdout } = await new Deno.Command("npm", {
    args: [...args],
    cwd,
    stdin: "null",
    stderr: "null",
    signal: AbortSignal.timeout(AUDIT_TIMEOUT_MS),
  }).output();
  return new TextDecoder().decode(stdout);
}
