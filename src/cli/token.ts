/** Reads the HTTP token. The configuration names its source and never stores it. @module */
import { quoteWord } from "../core/argv.ts";
import type { Config } from "../config/resolve.ts";

/** A token, and how it came to be. */
export interface Token {
  readonly value: string | null;
  readonly source: "file" | "environment" | "fresh" | "none";
}

/** The operator must change something before the server may start. */
export class TokenError extends Error {
  override readonly name = "TokenError";

  /** @param fix The command that would help, where there is one. */
  constructor(message: string, readonly fix = "") {
    super(message);
  }
}

/** 128 bits, written as 22 characters of base64. */
const SHORTEST = 16;
/** What a header carries unchanged. */
const SENDABLE = /^[\x21-\x7e]{1,1000}$/;

/**
 * Reads the token. The configuration has made sure that an address that is not loopback needs one.
 *
 * @param fresh Make one up instead.
 * @throws TokenError when there is none although one is needed, or its file is open to others.
 */
export function readToken({ settings }: Config, fresh: boolean): Token {
  const { mode, token_file, token_env, allow_unauthenticated } = settings.auth;
  if (mode === "none" && !fresh) return { value: null, source: "none" };
  if (fresh) return { value: newToken(), source: "fresh" };
  const found = token_file ? readTokenFile(settings) : Deno.env.get(token_env) || null;
  if (found !== null) return { value: checked(found, settings), source: token_file ? "file" : "environment" };
  if (allow_unauthenticated) return { value: null, source: "none" };
  throw new TokenError(
    `no token: set ${token_env || "mcp.auth.token_env"} or mcp.auth.token_file, or start with --fresh-token`,
    newTokenFor(settings),
  );
}

/** Says in one line who can call the server. */
export function describeToken({ source, value }: Token, { settings }: Config): string {
  const { token_file, token_env, allow_unauthenticated } = settings.auth;
  const everyone = "EVERYONE on this machine can call, without a token";
  if (source === "none") return everyone;
  const from = {
    file: `the one in ${token_file}`,
    environment: `the one in $${token_env}`,
    fresh: `${value}, generated for this run`,
  };
  return allow_unauthenticated ? `${everyone}, although a token is set` : `token: ${from[source]}`;
}

function checked(token: string, settings: Config["settings"]): string {
  if (token.length < SHORTEST) {
    throw new TokenError(
      `the token is shorter than ${SHORTEST} characters; make one with: openssl rand -base64 24`,
      newTokenFor(settings),
    );
  }
  if (!SENDABLE.test(token)) {
    throw new TokenError(
      "the token contains spaces or other characters that an HTTP header cannot carry",
      newTokenFor(settings),
    );
  }
  return token;
}

/** Puts a new one where it is looked for. */
function newTokenFor({ auth: { token_file, token_env } }: Config["settings"]): string {
  const make = "openssl rand -base64 24";
  if (token_file) return `(umask 077; ${make} > ${quoteWord(token_file)})`;
  return token_env ? `export ${token_env}="$(${make})"` : "";
}

function readTokenFile(settings: Config["settings"]): string {
  const { token_file: path } = settings.auth, word = quoteWord(path);
  let info: Deno.FileInfo;
  let text: string;
  try {
    info = Deno.statSync(path);
    text = Deno.readTextFileSync(path).trim();
  } catch (error) {
    throw new TokenError(
      `mcp.auth.token_file ${path} cannot be read: ${error instanceof Error ? error.message : error}`,
      newTokenFor(settings),
    );
  }
  if (((info.mode ?? 0) & 0o077) !== 0) {
    throw new TokenError(`${path} is readable by other users: chmod 600 ${path}`, `chmod 600 ${word}`);
  }
  // Who else owns it can change it at any time.
  if (info.uid !== null && info.uid !== Deno.uid() && info.uid !== 0) {
    const message = `${path} belongs to another user: chown it to the one that runs this server`;
    throw new TokenError(message, `sudo chown "$(id -un)" ${word}`);
  }
  if (text === "") throw new TokenError(`${path} is empty`, newTokenFor(settings));
  return text;
}

/** 192 bits, in characters that need no quoting anywhere. */
function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}
