/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/** Entry point of every other thread: runs the script that arrives as the first message. @module */
import { type CompiledScript, runScript } from "../sys/script.ts";

self.onmessage = ({ data }: MessageEvent<CompiledScript>) => {
  self.onmessage = null;
  runScript(data);
};
