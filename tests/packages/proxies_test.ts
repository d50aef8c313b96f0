/** The samples for nginx and Caddy, started as they are but for names and ports, in front of the executable. @module */
import assert from "node:assert/strict";
import { ROOT } from "../../scripts/project.ts";
import { type HttpServer, Sandbox, startHttp } from "../support/binary.ts";
import { overHttp } from "../support/clients.ts";
import { DebianRoot } from "./debian_root.ts";

/** A proxy that is running. */
interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** PEM of the authority that signed its certificate. */
  readonly authority: string;
}

// The SDK's clients leave timers behind when they close.
const options = { sanitizeOps: false, sanitizeResources: false };

Deno.test("nginx with the sample serves every face", options, async (t) => {
  await using root = await DebianRoot.make();
  await using box = await Sandbox.make({ "a.txt": "hello\n" });
  await using server = await startHttp(box);
  await using proxy = await startNginx(root, server);
  await checkFaces(t, proxy, server);
});

Deno.test("Caddy with the sample serves every face", options, async (t) => {
  await using root = await DebianRoot.make();
  await using box = await Sandbox.make({ "a.txt": "hello\n" });
  await using server = await startHttp(box);
  await using proxy = await startCaddy(root, server);
  await checkFaces(t, proxy, server);
});

async function checkFaces(t: Deno.TestContext, { url, authority }: Proxy, { token }: HttpServer): Promise<void> {
  using http = Deno.createHttpClient({ caCerts: [authority] });
  const ask: typeof fetch = (input, init) => fetch(input, { ...init, client: http });
  const headers = { "X-LLMC-Token": token, "Content-Type": "application/json" };
  const post = (path: string, body: unknown, more: Record<string, string> = {}) =>
    ask(url + path, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) });

  await t.step("GET /health", async () => {
    const health = await (await ask(`${url}/health`)).json();
    assert.equal(health.ok, true);
  });

  await t.step("POST /tool, and no token no call", async () => {
    const body = { session_id: "s", name: "read_file", args: { path: "a.txt" } };
    assert.equal((await (await post("/tool", body)).json()).data, "hello\n");
    const refused = await post("/tool", body, { "X-LLMC-Token": "" });
    assert.equal(refused.status, 401);
    await refused.body?.cancel();
  });

  for (const endpoint of overHttp({ url, token }, ask)) {
    await t.step({
      name: `an MCP client works over ${endpoint.label}`,
      ...options,
      async fn() {
        await using client = await endpoint.connect();
        assert.match((await client.call("linux_fs_read", { path: "a.txt" })).text, /hello/);
      },
    });
  }

  await t.step("events pass as they come", async () => {
    const started = performance.now();
    const { session, response } = await openEvents(post, ask, url, headers);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    assert.ok(reader);
    const subscribed = await post("/mcp", SUBSCRIBE, session);
    assert.equal(subscribed.status, 200);
    await subscribed.body?.cancel();
    // One event is far less than any buffer: a proxy that fills one first would never pass it on.
    const write = { session_id: "s", name: "linux_fs_write", args: { path: "a.txt", content: "changed\n" } };
    await (await post("/tool", write)).body?.cancel();
    let seen = "";
    while (!seen.includes("notifications/resources/updated")) {
      const { value, done } = await reader.read();
      assert.ok(!done, `the stream ended: ${seen}`);
      seen += value;
    }
    await reader.cancel();
    // The server sends a sign of life every 15 s; nothing may have waited for that.
    assert.ok(performance.now() - started < 10_000, `${performance.now() - started} ms`);
  });

  await t.step("requests that are too large are refused", async () => {
    const large = await post("/tool", { session_id: "s", name: "x".repeat(300_000), args: {} });
    // Caddy before 2.7 calls an answer that comes before the end of the request a broken upstream.
    assert.ok([413, 502].includes(large.status), `status ${large.status}`);
    await large.body?.cancel();
    // Over HTTP/2 there is no status for it: the connection ends.
    const wide = await ask(`${url}/health`, { headers: { "X-Wide": "x".repeat(40_000) } }).then(async (answer) => {
      await answer.body?.cancel();
      return answer.status;
    }, () => "closed");
    assert.ok([400, 431, "closed"].includes(wide), `status ${wide}`);
  });

  await t.step("metrics stay inside", async () => {
    const metrics = await ask(`${url}/metrics`, { headers });
    assert.equal(metrics.status, 404);
    await metrics.body?.cancel();
  });
}

/** The upstream's address in both samples, and the name in both. */
const UPSTREAM = "127.0.0.1:8080", NAME = "llmc.example.org";

/** Changes parts of a sample; each must be there, or the test would not be about the sample. */
function adapt(sample: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((text, [from, to]) => {
    assert.ok(text.includes(from), `the sample has no '${from}'`);
    return text.replaceAll(from, to);
  }, sample);
}

async function startNginx(root: DebianRoot, server: HttpServer): Promise<Proxy> {
  const tls = freePort();
  const subject = `-subj /CN=localhost -addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE`;
  await root.sh(`mkdir -p /etc/ssl/localhost && cd /etc/ssl/localhost && rm -f /etc/nginx/sites-enabled/default
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout privkey.pem -out fullchain.pem ${subject} 2>/dev/null`);
  const sample = adapt(await Deno.readTextFile(`${ROOT}/deploy/nginx.conf`), [
    [UPSTREAM, new URL(server.url).host],
    [NAME, "localhost"],
    ["  listen [::]:443 ssl;\n", ""],
    ["  listen [::]:80;\n", ""],
    ["listen 443", `listen 127.0.0.1:${tls}`],
    ["listen 80", `listen 127.0.0.1:${freePort()}`],
  ]);
  await Deno.writeTextFile(`${root.dir}/etc/nginx/conf.d/llmc.conf`, sample);
  assert.match((await root.run(["nginx", "-t"])).stderr, /test is successful/);
  const authority = await root.sh("cat /etc/ssl/localhost/fullchain.pem");
  return await proxyAt(root, ["nginx", "-g", "daemon off;"], tls, () => Promise.resolve(authority));
}

async function startCaddy(root: DebianRoot, server: HttpServer): Promise<Proxy> {
  const tls = freePort();
  // For this name Caddy is its own authority; it may not tell the system so, and need not be steered while it runs.
  const sample = adapt(await Deno.readTextFile(`${ROOT}/deploy/Caddyfile`), [
    [UPSTREAM, new URL(server.url).host],
    [`\n${NAME} {`, `\nhttps://localhost:${tls} {\n\tbind 127.0.0.1`],
    ["\n{\n\tservers {", `\n{\n\tskip_install_trust\n\tadmin off\n\tauto_https disable_redirects\n\tservers {`],
  ]);
  await Deno.writeTextFile(`${root.dir}/etc/caddy/Caddyfile`, sample);
  const command = ["caddy", "run", "--adapter", "caddyfile", "--config", "/etc/caddy/Caddyfile"];
  const authority = `${root.dir}/root/.local/share/caddy/pki/authorities/local/root.crt`;
  return await proxyAt(root, command, tls, () => Deno.readTextFile(authority));
}

/** Starts a proxy in the root, whose network is this machine's, and waits until it listens. */
async function proxyAt(
  root: DebianRoot,
  command: readonly string[],
  port: number,
  readAuthority: () => Promise<string>,
): Promise<Proxy> {
  const { command: program, args } = root.invocation(command);
  const child = new Deno.Command(program, { args, stdin: "null", stdout: "null", stderr: "piped" }).spawn();
  const said = new Response(child.stderr).text();
  const url = `https://localhost:${port}`;
  for (let attempt = 0; !await answers(url, readAuthority); attempt++) {
    if (attempt === 100) child.kill("SIGKILL");
    if (attempt >= 100) throw new Error(`${command[0]} does not listen:\n${await said}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    authority: await readAuthority(),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL"); // its namespace goes with it, and every process there
      await Promise.all([child.status, said]);
    },
  };
}

/** Whether it listens, and has its certificate, and reaches the server. */
async function answers(url: string, readAuthority: () => Promise<string>): Promise<boolean> {
  try {
    using client = Deno.createHttpClient({ caCerts: [await readAuthority()] });
    const answer = await fetch(`${url}/health`, { client });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

const MCP_HEADERS = { Accept: "application/json, text/event-stream" };
const SUBSCRIBE = { jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri: "llmc://file/a.txt" } };

/** A session of the older protocol with its stream of events open. */
async function openEvents(
  post: (path: string, body: unknown, more?: Record<string, string>) => Promise<Response>,
  ask: typeof fetch,
  url: string,
  headers: Record<string, string>,
): Promise<{ session: Record<string, string>; response: Response }> {
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const opened = await post("/mcp", { jsonrpc: "2.0", id: 1, method: "initialize", params }, MCP_HEADERS);
  await opened.body?.cancel();
  const session = {
    ...MCP_HEADERS,
    "Mcp-Session-Id": opened.headers.get("Mcp-Session-Id") ?? "",
    "MCP-Protocol-Version": "2025-06-18",
  };
  await (await post("/mcp", { jsonrpc: "2.0", method: "notifications/initialized" }, session)).body?.cancel();
  const response = await ask(`${url}/mcp`, { headers: { ...headers, ...session, Accept: "text/event-stream" } });
  assert.equal(response.status, 200);
  return { session, response };
}
