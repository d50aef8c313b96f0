/** Tests that need programs which not every machine has. @module */
import { exists } from "../../scripts/project.ts";

/**
 * Name of a test, and whether it is left out: its name then says why.
 *
 * @param programs Names of programs, or paths of files.
 */
export async function needing(
  name: string,
  ...programs: readonly string[]
): Promise<{ name: string; ignore: boolean }> {
  const missing = [];
  for (const program of programs) if (!await isThere(program)) missing.push(program);
  return missing.length === 0
    ? { name, ignore: false }
    : { name: `${name}: left out, because there is no ${missing.join(" and no ")}`, ignore: true };
}

async function isThere(program: string): Promise<boolean> {
  if (program.startsWith("/")) return await exists(program);
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  for (const folder of folders) if (await exists(`${folder}/${program}`)) return true;
  return false;
}
