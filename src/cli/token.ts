/** Where the HTTP token comes from. It is named in the configuration, never stored there. @module */
import type { Config } from "../config/resolve.ts";

/** A token, and how it came to be. */
export interface Token {
  readonly value: string | null;
  readonly source: "file" | "environment" | "fresh" | "none";
}

/** The operator must change something before the server may start. */
export class TokenError extends Error {
  override readonly name = "TokenError";
}

const LOOPBACK = /^(127(\.\d+){3}|localhost|::1)$/;
/** 128 bits, written as 22 characters of base64. */
const SHORTEST = 16;

/**
 * Reads the token.
 *
 * @param fresh Make one up instead.
 * @throws TokenError when there is none although one is needed, or its file is open to others.
 */
export function readToken({ settings }: Config, fresh: boolean): Token {
  const { mode, token_file, token_env, allow_unauthenticated } = settings.auth;
  const loopback = LOOPBACK.test(settings.server.host);
  if (fresh) return { value: newToken(), source: "fresh" };
  const found = token_file ? readTokenFile(token_file) : Deno.env.get(token_env) || null;
  if (found !== null && found.length < SHORTEST) {
    throw new TokenError(`the token is shorter than ${SHORTEST} characters; make one with: openssl rand -base64 24`);
  }
  if (found !== null && mode === "token") return { value: found, source: token_file ? "file" : "environment" };
  if (mode === "none" || allow_unauthenticated) {
    if (loopback) return { value: null, source: "none" };
    throw new TokenError(`${settings.server.host} is not a loopback address: mcp.auth needs a token there`);
  }
  throw new TokenError(
    `no token: set ${token_env || "mcp.auth.token_env"} or mcp.auth.token_file, or start with --fresh-token`,
  );
}

function readTokenFile(path: string): string {
  let mode: number | null;
  let text: string;
  try {
    mode = Deno.statSync(path).mode;
    text = Deno.readTextFileSync(path).trim();
  } catch (error) {
    throw new TokenError(
      `mcp.auth.token_file ${path} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
  if (((mode ?? 0) & 0o077) !== 0) throw new TokenError(`${path} is open to other users: chmod 600 ${path}`);
  if (text === "") throw new TokenError(`${path} is empty`);
  return text;
}

/** 192 bits, in characters that need no quoting anywhere. */
function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}
