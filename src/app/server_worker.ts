/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/**
 * Server worker: runs inside the Landlock domain with narrowed Deno permissions, and hosts transports, tools and
 * stores.
 * @module
 */
import type { BrokerVerbs, MainVerbs } from "../sandbox/protocol.ts";
import { connectCalls, serveCalls } from "../sandbox/rpc.ts";
import { assetsOver } from "../sys/assets.ts";
import { makeAppVerbs } from "./app_verbs.ts";
import type { AppVerbs } from "./verbs.ts";

/** The first message; every later one is a call. */
interface Ports {
  readonly broker: MessagePort;
  readonly main: MessagePort;
  readonly assets: MessagePort;
}

self.onmessage = ({ data }: MessageEvent<Ports>) => {
  const verbs = makeAppVerbs({
    broker: connectCalls<BrokerVerbs>(data.broker),
    main: connectCalls<MainVerbs>(data.main),
    assets: assetsOver(data.assets),
  });
  serveCalls<AppVerbs>(self, verbs);
};
