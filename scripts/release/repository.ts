/** Where the project is published, as far as this checkout knows. @module */
import { ROOT } from "../project.ts";

/** `owner/name` on GitHub: `GITHUB_REPOSITORY` in its workflows, else the remote `origin`; null when neither is there. */
async function slug(): Promise<string | null> {
  const given = Deno.env.get("GITHUB_REPOSITORY");
  if (given !== undefined) return /^[\w.-]+\/[\w.-]+$/.test(given) ? given : null;
  const git = new Deno.Command("git", { args: ["remote", "get-url", "origin"], cwd: ROOT, stderr: "null" });
  const remote = await git.output().then(({ stdout }) => new TextDecoder().decode(stdout).trim(), () => "");
  return remote.match(/github\.com[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?$/)?.[1] ?? null;
}

/** Address of the repository; null when it is not known. */
export async function repositoryUrl(): Promise<string | null> {
  const known = await slug();
  return known === null ? null : `https://github.com/${known}`;
}

/** The name in the MCP registry, which belongs to the owner of the repository; `OWNER` stands in for one not known. */
export async function serverName(): Promise<string> {
  return `io.github.${(await slug())?.split("/")[0] ?? "OWNER"}/llmc-mcp`;
}
