/** Runs the command line. @module */
import { run } from "./src/cli/run.ts";

await run(Deno.args);
