/**
 * Usual programs under `network = list` and `off`: those that use the proxy reach listed names, and what the others are told.
 * @module
 */
import assert from "node:assert/strict";
import { Sandbox } from "../support/binary.ts";
import { BUBBLEWRAP, needing, program } from "../support/needs.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

const COMMIT = "1234567890123456789012345678901234567890";
/** A repository, an index of each package manager, and a page. */
const PAGES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  "/page": ["text/plain", "WORDS OF THE PAGE\n"],
  "/repository/info/refs": ["text/plain", `${COMMIT}\trefs/heads/main\n`],
  "/simple/thing/": ["text/html", '<a href="thing-1.2.3-py3-none-any.whl">thing-1.2.3-py3-none-any.whl</a>'],
  "/thing": [
    "application/json",
    JSON.stringify({
      name: "thing",
      "dist-tags": { latest: "1.2.3" },
      versions: { "1.2.3": { name: "thing", version: "1.2.3" } },
    }),
  ],
};

function serve(): { readonly port: number; stop(): Promise<void> } {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    const [type, body] = PAGES[new URL(url).pathname] ?? ["text/plain", ""];
    return new Response(body, { status: body === "" ? 404 : 200, headers: { "Content-Type": type } });
  });
  return { port: server.addr.port, stop: () => server.shutdown() };
}

const ASKERS: readonly (readonly [program: string, command: (url: string) => string, expected: RegExp])[] = [
  ["curl", (url) => `curl -sS ${url}/page`, /WORDS OF THE PAGE/],
  ["wget", (url) => `wget -q -O - ${url}/page`, /WORDS OF THE PAGE/],
  ["git", (url) => `git ls-remote ${url}/repository`, new RegExp(`${COMMIT}\\s+refs/heads/main`)],
  ["pip3", (url) => `pip3 index versions thing -i ${url}/simple --trusted-host localhost`, /thing \(1\.2\.3\)/],
  ["npm", (url) => `npm view thing version --registry ${url}`, /1\.2\.3/],
];

for (const [name, command, expected] of ASKERS) {
  Deno.test(
    needing(`network = list: ${name} reaches a listed name and no other`, BUBBLEWRAP, program(name)),
    async () => {
      await using sandbox = await Sandbox.make();
      const listed = serve(), other = serve();
      try {
        const args = ["mcp.tools.network=list", `mcp.tools.network_allow=["private:localhost:${listed.port}"]`];
        await using peer = await StdioPeer.open(sandbox, { args: args.flatMap((each) => ["--set", each]) });
        // Names of the machine itself are asked for without the proxy, so that programs reach each other.
        const run = (port: number) =>
          peer.call("run_cmd", {
            command: `env -u no_proxy -u NO_PROXY ${command(`http://localhost:${port}`)}`,
            timeout: 40,
          });
        assert.match(await run(listed.port), expected);
        const refused = await run(other.port);
        assert.doesNotMatch(refused, expected);
        assert.match(refused, new RegExp(`network: refused localhost:${other.port}`));
      } finally {
        await Promise.all([listed.stop(), other.stop()]);
      }
    },
  );
}

const PAST_THE_PROXY: readonly (readonly [program: string, command: string])[] = [
  ["python3", "python3 -c \"import socket; socket.create_connection(('example.org', 443), 5)\""],
  ["bash", "bash -c 'exec 3<>/dev/tcp/192.0.2.1/443'"],
  ["ssh", "ssh -o BatchMode=yes -o ConnectTimeout=5 git@example.org true"],
  ["curl", "curl -sS --noproxy '*' https://example.org/"],
  ["node", "node -e \"require('net').connect(443, 'example.org')\""],
];

for (
  const [mode, told] of [["list", /mcp\.tools\.network = on/], [
    "off",
    /no network: mcp\.tools\.network = off/,
  ]] as const
) {
  for (const [name, command] of PAST_THE_PROXY) {
    Deno.test(
      needing(`network = ${mode}: ${name} past the proxy is told the key`, BUBBLEWRAP, program(name)),
      async () => {
        await using sandbox = await Sandbox.make();
        await using peer = await StdioPeer.open(sandbox, { args: ["--set", `mcp.tools.network=${mode}`] });
        const answer = await peer.call("run_cmd", { command, timeout: 40 });
        assert.match(answer, told, answer);
        assert.doesNotMatch(await peer.call("run_cmd", { command: "ls /missing" }), /mcp\.tools\.network/);
      },
    );
  }
}
