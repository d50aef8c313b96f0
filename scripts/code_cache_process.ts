/**
 * One step of making V8's code cache, as a process of its own. `compile` and `evaluate` write NAME.cache of NAME.js; `fit`,
 * started with the flags of the program that will read the caches, makes them valid for these. The arguments are those that
 * an evaluated script sees, so the step comes in the environment.
 * @module
 */
import { getBuiltinModule } from "node:process";
import { Script } from "node:vm";

/**
 * Where a cache holds the hash of V8's flags. Bytecode does not depend on the flags that the build sets, but V8 accepts a
 * cache only when this is the hash of its own.
 */
const FLAG_HASH = { start: 12, end: 16 };

const { STEP = "", DIR: dir, NAMES = "" } = Deno.env.toObject();

const readSource = (name: string) => Deno.readTextFileSync(`${dir}/${name}.js`);

const STEPS: Readonly<Record<string, (name: string) => Uint8Array>> = {
  compile: (name) => new Script(readSource(name)).createCachedData(),

  evaluate(name) {
    const script = new Script(readSource(name));
    script.runInThisContext()(getBuiltinModule, { url: "file:///main.js" }); // not of this machine
    return script.createCachedData(); // before anything asynchronous happens, which would be different each time
  },

  fit(name) {
    const cachedData = Deno.readFileSync(`${dir}/${name}.cache`);
    const ownFlags = new Script("").createCachedData().subarray(FLAG_HASH.start, FLAG_HASH.end);
    cachedData.set(ownFlags, FLAG_HASH.start);
    const { cachedDataRejected } = new Script(readSource(name), { cachedData });
    if (cachedDataRejected) throw new Error(`V8 refuses the cache of '${name}'`);
    return cachedData;
  },
};

const run = STEPS[STEP];
if (run === undefined) throw new Error(`there is no step '${STEP}'`);
// A script that is evaluated must not do different things for different people.
for (const variable of Object.keys(Deno.env.toObject())) Deno.env.delete(variable);
for (const name of NAMES.split(",")) Deno.writeFileSync(`${dir}/${name}.cache`, run(name));
Deno.exit(0);
