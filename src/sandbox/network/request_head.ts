/** Parses the head of a proxy request strictly: anything that two parsers could read differently is refused. @module */
import { comparableName } from "../../core/network_list.ts";

/** Where a request wants to go. */
export interface ProxyRequest {
  /** As `comparableName` gives it. */
  readonly name: string;
  readonly port: number;
  /** The head to send on; null for a tunnel. */
  readonly forward: string | null;
  /** Bytes of the body that follows. */
  readonly bodyBytes: number;
}

/** Why a request is refused. */
export interface HeadFault {
  readonly status: 400 | 403 | 411;
  readonly reason: string;
  /** What was asked for, for the note in a result; null when that cannot be said. */
  readonly target: string | null;
}

const REQUEST_LINE = /^([A-Z]{3,20}) ([\x21-\x7e]{1,8000}) HTTP\/1\.[01]$/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e\x80-\xff\t]*)$/;
const AUTHORITY = /^([^:/?#@[\]\\]+)(?::(\d{1,5}))?$/;
const ABSOLUTE = /^http:\/\/([^/?#]*)([/?][^#]*)?$/i;
/** Not sent on: they are about this connection, or said by the proxy itself. */
const HOP_BY_HOP =
  /^(?:connection|proxy-.*|keep-alive|te|trailer|transfer-encoding|upgrade|host|content-length|expect)$/i;

/** @param head Up to the empty line, which is not in it; lines end in CR LF. */
export function readRequestHead(head: string): ProxyRequest | HeadFault {
  const [first = "", ...lines] = head.split("\r\n"), [, method = "", target = ""] = REQUEST_LINE.exec(first) ?? [];
  if (method === "" || /[\r\n\0]/.test(first)) return malformed("the request line");
  const headers = lines.map((line) => HEADER.exec(line));
  const fields: (readonly [string, string])[] = [];
  for (const found of headers) {
    if (!found) return malformed("a header");
    fields.push([found[1] ?? "", (found[2] ?? "").trim()]);
  }
  const place = method === "CONNECT" ? { authority: target, path: "" } : absolute(target);
  if (place === null) return malformed("the address must have the form http://name/path");
  const to = readAuthority(place.authority, method === "CONNECT" ? null : 80);
  if (to === null) {
    return { status: 403, reason: "it is not a name; addresses are refused", target: place.authority.slice(0, 100) };
  }
  if (method === "CONNECT") return { ...to, forward: null, bodyBytes: 0 };
  if (fields.some(([name]) => /^transfer-encoding$/i.test(name))) {
    return { status: 411, reason: "send the body with Content-Length", target: null };
  }
  const lengths = fields.filter(([name]) => /^content-length$/i.test(name)).map(([, value]) => value);
  if (lengths.length > 1 || !/^\d{1,15}$/.test(lengths[0] ?? "0")) return malformed("Content-Length");
  const host = to.port === 80 ? to.name : `${to.name}:${to.port}`;
  const kept = fields.filter(([name]) => !HOP_BY_HOP.test(name)).map(([name, value]) => `${name}: ${value}`);
  const own = [`Host: ${host}`, "Connection: close", ...lengths.map((value) => `Content-Length: ${value}`)];
  const forward = [`${method} ${place.path} HTTP/1.1`, ...own, ...kept].join("\r\n");
  return { ...to, forward: `${forward}\r\n\r\n`, bodyBytes: Number(lengths[0] ?? 0) };
}

function malformed(what: string): HeadFault {
  return { status: 400, reason: `malformed request: ${what}`, target: null };
}

function absolute(target: string): { authority: string; path: string } | null {
  const [, authority, path = "/"] = ABSOLUTE.exec(target) ?? [];
  return authority === undefined ? null : { authority, path: path.startsWith("?") ? `/${path}` : path };
}

function readAuthority(authority: string, usualPort: number | null): { name: string; port: number } | null {
  const [, host = "", given] = AUTHORITY.exec(authority) ?? [];
  const name = comparableName(host), port = given === undefined ? usualPort : Number(given);
  return name === null || port === null || port < 1 || port > 65_535 ? null : { name, port };
}
