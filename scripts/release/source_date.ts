/** The single timestamp of a release, so that equal sources give equal packages. @module */
import { ROOT } from "../project.ts";

/** Seconds since 1970: `SOURCE_DATE_EPOCH` when it is set, else the time of the commit, else the start of 2026. */
export async function sourceDate(): Promise<number> {
  const given = Deno.env.get("SOURCE_DATE_EPOCH");
  if (given !== undefined) {
    if (!/^\d{1,10}$/.test(given)) throw new Error(`SOURCE_DATE_EPOCH is '${given}', not a number of seconds`);
    return Number(given);
  }
  const git = new Deno.Command("git", { args: ["log", "-1", "--format=%ct"], cwd: ROOT, stderr: "null" });
  const committed = await git.output().then(({ stdout }) => new TextDecoder().decode(stdout).trim(), () => "");
  return /^\d+$/.test(committed) ? Number(committed) : Date.UTC(2026, 0, 1) / 1000;
}
