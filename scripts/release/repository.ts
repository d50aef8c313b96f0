/** Where the project is published, as configured in this checkout. @module */
import { ROOT } from "../project.ts";

/** A place on GitHub. */
export interface Repository {
  readonly owner: string;
  readonly name: string;
  readonly url: string;
}

/** `GITHUB_REPOSITORY` (`owner/name`) as in its workflows, else the remote `origin`; null when neither says it. */
export async function findRepository(): Promise<Repository | null> {
  const given = Deno.env.get("GITHUB_REPOSITORY");
  return given === undefined
    ? parsed((await originUrl()).match(/github\.com[:/](.+?)(?:\.git)?$/)?.[1])
    : parsed(given);
}

function parsed(slug = ""): Repository | null {
  const [, owner, name] = slug.match(/^([\w.-]+)\/([\w.-]+)$/) ?? [];
  if (owner === undefined || name === undefined) return null;
  return { owner, name, url: `https://github.com/${owner}/${name}` };
}

async function originUrl(): Promise<string> {
  const git = new Deno.Command("git", { args: ["remote", "get-url", "origin"], cwd: ROOT, stderr: "null" });
  return await git.output().then(({ stdout }) => new TextDecoder().decode(stdout).trim(), () => "");
}

/** The name in the MCP registry, which belongs to the owner of the repository. */
export function serverName({ owner }: Repository): string {
  return `io.github.${owner}/llmc-mcp`;
}
