/** Entry point of the executable: loads the main thread's script. @module */
import { EXECUTABLE, openPack } from "../sys/pack.ts";
import { runScript, scriptFrom } from "../sys/script.ts";

runScript(scriptFrom(openPack(EXECUTABLE), "main"));
