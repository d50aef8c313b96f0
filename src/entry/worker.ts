/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/** What every other thread of the executable runs first: the script that comes as the first message. @module */
import { type CompiledScript, runScript } from "../sys/script.ts";

self.onmessage = ({ data }: MessageEvent<CompiledScript>) => {
  self.onmessage = null;
  runScript(data);
};
