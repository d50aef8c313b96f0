/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/** Condenser worker: makes long output short, without any permission. @module */
import type { CondenserVerbs } from "../condense/condenser.ts";
import { enrich } from "../condense/enrich.ts";
import { serveCalls } from "../sandbox/rpc.ts";

const verbs: CondenserVerbs = { enrich: (input) => Promise.resolve(enrich(input)) };
self.onmessage = ({ data }: MessageEvent<{ readonly ports: readonly MessagePort[] }>) => {
  for (const port of data.ports) serveCalls(port, verbs);
};
