/** Runs a program of the benchmark to its end. @module */

/** @returns Standard output, trimmed. @throws Error with the end of standard error when it fails. */
export async function runOrThrow(program: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    stdout: "piped",
    stderr: "piped",
  }).output();
  if (code === 0) return new TextDecoder().decode(stdout).trim();
  throw new Error(`${program}: ${new TextDecoder().decode(stderr).trim().slice(-400) || `exit code ${code}`}`);
}
