/** Runs a thread's bundled script with the V8 code cache made at build time. @module */
import { getBuiltinModule } from "node:process";
import { Script } from "node:vm";
import type { Pack } from "./pack.ts";

/** A classic script whose value is a function that takes `require`, for the runtime's own modules, and `import.meta`. */
export interface CompiledScript {
  readonly name: string;
  readonly source: Uint8Array<ArrayBuffer>;
  /** V8's code cache of it; null when the build made none. */
  readonly cachedData: Uint8Array<ArrayBuffer> | null;
  /** Whether it is an error that V8 refuses that, as another V8 would: it costs time and changes nothing else. */
  readonly mustFit: boolean;
}

/** Its presence in a pack lets the program obey the switches that only tests may use. */
export const TEST_SWITCHES = "test-switches";

/** Whether a pack carries the script of a thread. */
export function hasScript(pack: Pack, name: string): boolean {
  return pack.index.has(`${name}.js`);
}

/** @throws Error when the pack has no such script */
export function scriptFrom(pack: Pack, name: string): CompiledScript {
  const source = pack.read(`${name}.js`);
  if (source === null) throw new Error(`this executable does not contain the script '${name}'`);
  return { name, source, cachedData: pack.read(`${name}.cache`), mustFit: pack.index.has(TEST_SWITCHES) };
}

/** Runs it. @throws Error when the code cache must fit and V8 refuses it */
export function runScript({ name, source, cachedData, mustFit }: CompiledScript): void {
  const url = new URL(`${name}.js`, import.meta.url).href;
  const options = { filename: url, ...cachedData ? { cachedData } : {} };
  const script = new Script(new TextDecoder().decode(source), options);
  if (mustFit && script.cachedDataRejected) throw new Error(`V8 rejected the code cache of '${name}'`);
  script.runInThisContext()(getBuiltinModule, { url });
}
