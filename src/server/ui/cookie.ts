/** Login cookie: unreadable for scripts, sent to this page's own paths only, never across sites. @module */

/** Everything of the page lies below it. */
export const UI_PATH = "/ui";

/** The description of the API for a browser that is logged in: its cookie does not reach /docs. */
export const DOCS_AFTER_LOGIN = `${UI_PATH}/docs`;

/** Named after the port, because browsers do not tell the servers of one host apart by it. */
export function cookieName(port: number): string {
  return `llmc_ui_${port}`;
}

/** The value of the cookie in a request; undefined when there is none, or when two contradict each other. */
export function readCookie({ headers }: Request, name: string): string | undefined {
  const pairs = (headers.get("Cookie") ?? "").split(";").map((pair) => pair.trim());
  const values = pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
  return values.length === 1 && /^[\w-]{1,128}$/.test(values[0] ?? "") ? values[0] : undefined;
}

/** The header that sets it. `secure`: the browser speaks HTTPS, so that it must never send it over anything less. */
export function setCookie(name: string, value: string, maxAgeSeconds: number, secure: boolean): string {
  const attributes = `Path=${UI_PATH}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`;
  return `${name}=${value}; ${attributes}`;
}

/** The header that removes it. */
export function clearCookie(name: string): string {
  return setCookie(name, "", 0, false);
}
