/** nginx and Caddy in a root, with the samples of the project. @module */
import assert from "node:assert/strict";
import { ROOT } from "../../scripts/project.ts";
import type { HttpServer } from "../support/binary.ts";
import type { SystemRoot } from "./system_root.ts";

/** A proxy that is running. */
export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** PEM of the authority that signed its certificate. */
  readonly authority: string;
}

/** The upstream's address in both samples, and the name in both. */
const UPSTREAM = "127.0.0.1:8080", NAME = "llmc.example.org";

/** Changes parts of a sample; each must be there, or the test would not be about the sample. */
export function adapt(sample: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((text, [from, to]) => {
    assert.ok(text.includes(from), `the sample has no '${from}'`);
    return text.replaceAll(from, to);
  }, sample);
}

/** Starts nginx with the sample as its only site. */
export async function startNginx(root: SystemRoot, server: Pick<HttpServer, "url">): Promise<Proxy> {
  const tls = freePort();
  const subject = `-subj /CN=localhost -addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE`;
  await root.sh(
    `mkdir -p /etc/ssl/localhost && cd /etc/ssl/localhost && rm -f /etc/nginx/sites-enabled/* /etc/nginx/conf.d/*
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout privkey.pem -out fullchain.pem ${subject} 2>/dev/null`,
  );
  const sample = adapt(await Deno.readTextFile(`${ROOT}/deploy/nginx.conf`), [
    [UPSTREAM, new URL(server.url).host],
    [NAME, "localhost"],
    ["  listen [::]:443 ssl;\n", ""],
    ["  listen [::]:80;\n", ""],
    ["listen 443", `listen 127.0.0.1:${tls}`],
    ["listen 80", `listen 127.0.0.1:${freePort()}`],
  ]);
  await root.write("/etc/nginx/conf.d/llmc.conf", sample);
  assert.match((await root.run(["nginx", "-t"])).stderr, /test is successful/);
  const authority = await root.sh("cat /etc/ssl/localhost/fullchain.pem");
  return await proxyAt(root, ["nginx", "-g", "daemon off;"], tls, () => Promise.resolve(authority));
}

/** Starts Caddy with the sample. */
export async function startCaddy(root: SystemRoot, server: Pick<HttpServer, "url">): Promise<Proxy> {
  const tls = freePort();
  // For this name Caddy is its own authority; it may not tell the system so, and need not be steered while it runs.
  const sample = adapt(await Deno.readTextFile(`${ROOT}/deploy/Caddyfile`), [
    [UPSTREAM, new URL(server.url).host],
    [`\n${NAME} {`, `\nhttps://localhost:${tls} {\n\tbind 127.0.0.1`],
    ["\n{\n\tservers {", `\n{\n\tskip_install_trust\n\tadmin off\n\tauto_https disable_redirects\n\tservers {`],
  ]);
  await root.write("/etc/caddy/Caddyfile", sample);
  const command = ["caddy", "run", "--adapter", "caddyfile", "--config", "/etc/caddy/Caddyfile"];
  const authority = "/root/.local/share/caddy/pki/authorities/local/root.crt";
  return await proxyAt(root, command, tls, () => root.sh(`cat ${authority}`));
}

/** Starts a proxy in the root, whose network is this machine's, and waits until it listens. */
async function proxyAt(
  root: SystemRoot,
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

/** A port that nobody listens on now. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
