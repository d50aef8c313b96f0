// The proof of the login. It is kept where only pages of this scheme, host and port can read it, and is sent as a header:
// a cookie would go to every port of the host, to a server that a model started as well.

const NAME = "llmc-page-key", HEADER = "X-LLMC-Page-Key";
/** Another tab answers at once or not at all. */
const BORROW_MS = 250;

const channel = new BroadcastChannel(NAME);
const waiting = new Set();
let key = sessionStorage.getItem(NAME);

channel.addEventListener("message", ({ data }) => {
  if (data === "ask") {
    if (key !== null) channel.postMessage({ key });
  } else if (key === null && typeof data?.key === "string") {
    keep(data.key);
    for (const listener of waiting) listener();
  } else if (key !== null && data?.gone === key) {
    forget();
    location.reload();
  }
});

function keep(value) {
  key = value;
  sessionStorage.setItem(NAME, value);
}

/** Whether this tab, or another one of this page, is logged in. */
export async function findKey() {
  if (key !== null) return true;
  channel.postMessage("ask");
  const { promise, resolve } = Promise.withResolvers();
  waiting.add(resolve);
  setTimeout(resolve, BORROW_MS);
  await promise;
  waiting.delete(resolve);
  return key !== null;
}

/** Calls back when another tab has logged in. */
export function onKey(listener) {
  waiting.add(listener);
}

/** Takes a new key, and lets the other tabs in. */
export function takeKey(value) {
  keep(value);
  channel.postMessage({ key });
}

function forget() {
  key = null;
  sessionStorage.removeItem(NAME);
}

/** Forgets a key that is worth nothing any more, in every tab. */
export function dropKey() {
  channel.postMessage({ gone: key });
  forget();
}

/** Asks the server, with the proof. */
export function ask(path, { headers = {}, ...options } = {}) {
  const proof = key === null ? {} : { [HEADER]: key };
  return fetch(path, { ...options, credentials: "omit", headers: { ...headers, ...proof } });
}

/** Sends fields to the server, with the proof. */
export function post(path, fields) {
  return ask(path, { method: "POST", body: JSON.stringify(fields), headers: { "Content-Type": "application/json" } });
}
