/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/** In place of src/entry/worker.ts in the program that records. @module */
import { type CompiledScript, runScript } from "../../src/sys/script.ts";
import { recordWhenAsked } from "./record.ts";

self.onmessage = ({ data }: MessageEvent<CompiledScript>) => {
  self.onmessage = null;
  recordWhenAsked(data.name, runScript(data));
};
