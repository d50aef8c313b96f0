/** Runs a program that a release needs. @module */

/** Runs a program to its end and returns what it printed. @throws Error with its words when it fails */
export async function runTool(program: string, args: readonly string[], cwd?: string): Promise<string> {
  const options = { args: [...args], stdin: "null" as const, ...cwd === undefined ? {} : { cwd } };
  const { success, code, stdout, stderr } = await new Deno.Command(program, options).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`${program} ended with ${code}:\n${decoder.decode(stderr)}${decoder.decode(stdout)}`);
  return decoder.decode(stdout);
}
