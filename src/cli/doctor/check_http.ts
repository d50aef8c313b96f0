/** Checks what `serve` needs: a token, a port, and a certificate for TLS. @module */
import type { Config } from "../../config/resolve.ts";
import { readListeners } from "../../sysinfo/listeners.ts";
import { readToken, TokenError } from "../token.ts";
import { type Finding, finding } from "./finding.ts";

/** So many ports after the taken one are tried. */
const NEAR_PORTS = 50;
/** A server on a busy machine may answer late; only a program that is not an HTTP server takes as long. */
const ANSWER_MS = 5_000;

/** All three. */
export async function checkHttp(config: Config): Promise<Finding[]> {
  return [checkToken(config), await checkPort(config), ...checkTls(config), ...checkReach(config)];
}

function checkToken(config: Config): Finding {
  const name = "token";
  try {
    const { source } = readToken(config, false);
    const { token_file, token_env, allow_unauthenticated } = config.settings.auth;
    if (source === "none" || allow_unauthenticated) {
      return finding(
        name,
        "warn",
        "serve accepts calls from everyone on this machine, without a token",
        'set mcp.auth.mode = "token"',
      );
    }
    return finding(name, "ok", source === "file" ? token_file : `$${token_env}`);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    // Who only uses stdio needs none.
    const state = error.message.startsWith("no token") ? "warn" : "bad";
    return finding(name, state, `serve does not start: ${error.message}`, error.fix);
  }
}

async function checkPort({ settings: { server } }: Config): Promise<Finding> {
  const name = "port", { host, port } = server;
  const fault = faultOf(host, port);
  if (fault === null) return finding(name, "ok", port === 0 ? "any free port" : `${port} on ${host} is free`);
  if (fault instanceof Deno.errors.AddrInUse) {
    const version = await versionThere(host, port);
    if (version !== null) return finding(name, "ok", `llmc-mcp ${version} is already listening on ${port}`);
    const free = Array.from({ length: NEAR_PORTS }, (_, index) => port + 1 + index)
      .find((each) => each < 65_536 && faultOf(host, each) === null);
    return finding(name, "warn", `${port} is in use by ${await holderOf(port)}`, `llmc-mcp serve --port ${free ?? 0}`);
  }
  if (fault instanceof Deno.errors.PermissionDenied) {
    return finding(name, "warn", `this user is not allowed to listen on ${port}`, "llmc-mcp serve --port 8080");
  }
  return finding(name, "warn", `cannot listen on ${host}: ${fault.message}`, "llmc-mcp serve --host 127.0.0.1");
}

/** Why nothing can listen there; null when something can. */
function faultOf(hostname: string, port: number): Error | null {
  try {
    Deno.listen({ hostname, port }).close();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Asks whether it is one of us; null when it is something else. */
async function versionThere(host: string, port: number): Promise<string | null> {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  try {
    const response = await fetch(`http://${name}:${port}/health`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const { ok, version } = Object(await response.json());
    return ok === true && typeof version === "string" ? version.slice(0, 20) : null;
  } catch {
    return null; // not HTTP, or not ours
  }
}

async function holderOf(port: number): Promise<string> {
  const listeners = await readListeners().catch(() => []);
  const found = listeners.find((each) => each.protocol === "tcp" && each.port === port);
  return found && found.pid > 0 ? `${found.program.trim()} (pid ${found.pid})` : "a program of another user";
}

function checkTls({ settings: { server } }: Config): Finding[] {
  if (!server.tls_enabled) return [];
  const files = [["tls_cert_file", server.tls_cert_file], ["tls_key_file", server.tls_key_file]] as const;
  return files.map(([key, path]) => {
    try {
      const isPem = Deno.readTextFileSync(path).includes("-----BEGIN ");
      if (isPem) return finding(key, "ok", path);
      return finding(key, "bad", `${path} is not a PEM file`, `set mcp.server.${key} to a PEM file`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return finding(key, "bad", `serve does not start: ${reason}`, `set mcp.server.${key} to a readable file`);
    }
  });
}

function checkReach({ settings: { server } }: Config): Finding[] {
  if (server.tls_enabled || /^(127\.|localhost$|::1$|\[::1\]$)/.test(server.host)) return [];
  const detail = `${server.host} is reachable from other machines, and the token is sent unencrypted`;
  return [
    finding("network", "warn", detail, "set mcp.server.tls_enabled = true, or listen on 127.0.0.1 behind a proxy"),
  ];
}
