/** Relays from a port inside the network of programs to the proxy's socket file outside. @module */
import { close, pump } from "./pump.ts";

/** The first word of the command line that makes this program the relay. */
export const RELAY_COMMAND = "network-relay";
/** Usual for proxies; nothing else listens in a new namespace. */
const RELAY_PORT = 3128;
/** What it prints once it listens. */
export const RELAY_READY = "relay ready";

/** Variables by which programs find the proxy. */
export const PROXY_ENV: Readonly<Record<string, string>> = (() => {
  const url = `http://127.0.0.1:${RELAY_PORT}`, direct = "localhost,127.0.0.1,::1";
  return {
    ...Object.fromEntries(
      ["http_proxy", "https_proxy", "all_proxy"].flatMap((name) => [[name, url], [name.toUpperCase(), url]]),
    ),
    ...{ no_proxy: direct, NO_PROXY: direct },
    ...{ npm_config_proxy: url, npm_config_https_proxy: url, NODE_USE_ENV_PROXY: "1" },
  };
})();

/** Runs until it is ended. @param socket Path of the proxy's socket. */
export async function relay(socket: string, print: (text: string) => void): Promise<never> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: RELAY_PORT });
  print(`${RELAY_READY}\n`);
  for (;;) {
    const connection = await listener.accept();
    Deno.connect({ transport: "unix", path: socket })
      .then((proxy) => pump(connection, proxy))
      .catch(() => close(connection));
  }
}
