/** In place of src/entry/main.ts in the program that records. @module */
import { EXECUTABLE, openPack } from "../../src/sys/pack.ts";
import { runScript, scriptFrom } from "../../src/sys/script.ts";
import { recordWhenAsked } from "./record.ts";

recordWhenAsked("main", runScript(scriptFrom(openPack(EXECUTABLE), "main")));
