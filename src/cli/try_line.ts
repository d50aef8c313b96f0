/** Writes a shell line that calls a running server, with a program that this machine has. @module */
import { quoteWord } from "../core/argv.ts";

/** A call of `POST /tool`. */
export interface TriedCall {
  /** Address of the server. */
  readonly url: string;
  /** Value of the `Authorization` header, as a shell expands it between double quotes; "" when none is needed. */
  readonly authorization: string;
  readonly body: string;
}

const JSON_TYPE = "Content-Type: application/json";
const PYTHON = "import sys, urllib.request as u; a = sys.argv; " +
  'h = {"Content-Type": "application/json", "Authorization": a[3]}; ' +
  "print(u.urlopen(u.Request(a[1], a[2].encode(), h)).read().decode())";
const NODE =
  '(async ([url, body, Authorization]) => { const headers = { Authorization, "Content-Type": "application/json" }; ' +
  'console.log(await (await fetch(url, { method: "POST", body, headers })).text()); })(process.argv.slice(1))';

/** By program, the usual one first. */
const LINES: Readonly<Record<string, (call: TriedCall) => string>> = {
  curl: ({ url, authorization, body }) =>
    `curl -s ${url}/tool${option("-H", authorization)} -H "${JSON_TYPE}" -d ${quoteWord(body)}`,
  wget: ({ url, authorization, body }) =>
    `wget -qO- ${url}/tool${option("--header", authorization)} --header "${JSON_TYPE}" --post-data ${quoteWord(body)}`,
  python3: ({ url, authorization, body }) =>
    `python3 -c ${quoteWord(PYTHON)} ${url}/tool ${quoteWord(body)} "${authorization}"`,
  node: ({ url, authorization, body }) =>
    `node -e ${quoteWord(NODE)} ${url}/tool ${quoteWord(body)} "${authorization}"`,
};

/** Programs that can make the call, the usual one first. */
export const HTTP_CLIENTS: readonly string[] = Object.keys(LINES);

/** The line for one of {@link HTTP_CLIENTS}; undefined for any other program. */
export function tryLine(program: string, call: TriedCall): string | undefined {
  return LINES[program]?.(call);
}

function option(flag: string, authorization: string): string {
  return authorization === "" ? "" : ` ${flag} "Authorization: ${authorization}"`;
}
