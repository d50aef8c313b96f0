/** Command line options of the benchmarks. @module */

/** Value of `--name VALUE`. */
export function option(name: string, fallback: string): string {
  const at = Deno.args.indexOf(`--${name}`);
  return at < 0 ? fallback : Deno.args[at + 1] ?? fallback;
}

/** Whether `--name` is there. */
export function flag(name: string): boolean {
  return Deno.args.includes(`--${name}`);
}
