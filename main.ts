/** Runs the command line. @module */
import { run } from "./src/cli/run.ts";

void run(Deno.args); // it ends the process itself
