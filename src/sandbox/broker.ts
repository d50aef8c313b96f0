/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/**
 * Broker worker: created BEFORE Landlock, so it stays outside the domain and can read /proc and start bubblewrap. It
 * never parses text from a model. It answers the typed methods of the protocol and checks each request again.
 * @module
 */
import { makeBrokerVerbs } from "./broker_verbs.ts";
import { makeChildKernel } from "./child_kernel.ts";
import { openLibc } from "../sys/libc.ts";
import type { HostConfig } from "./protocol.ts";
import { serveCalls } from "./rpc.ts";

/** First message: the configuration and the port on which the server will ask. */
self.onmessage = ({ data }: MessageEvent<{ host: HostConfig; ports: MessagePort[] }>) => {
  const verbs = makeBrokerVerbs(data.host, makeChildKernel(openLibc(), data.host));
  for (const port of data.ports) serveCalls(port, verbs);
};
