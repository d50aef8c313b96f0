import assert from "node:assert/strict";
import { type HttpServer, Sandbox, startHttp } from "../support/binary.ts";
import { callTool } from "../support/call_tool.ts";
import { type Answered, ask, type Asked, WITHOUT_LIMITS } from "../support/raw_http.ts";

async function withServer(
  test: (server: HttpServer, sandbox: Sandbox) => Promise<void>,
  args: readonly string[] = WITHOUT_LIMITS,
): Promise<void> {
  await using sandbox = await Sandbox.make({ "a.txt": "one\n" });
  await using server = await startHttp(sandbox, { args });
  await test(server, sandbox);
}

/** A request of a browser that has no login, unless it is given one. */
function browse(server: HttpServer, asked: Asked): Promise<Answered> {
  return ask(server, {
    method: "GET",
    ...asked,
    headers: { "X-LLMC-Token": "", "Content-Type": "", ...asked.headers },
  });
}

/** What the server's own page sends. */
function post(server: HttpServer, path: string, fields: object, headers: Record<string, string> = {}) {
  return browse(server, {
    method: "POST",
    path,
    body: JSON.stringify(fields),
    headers: {
      Origin: server.url,
      "Sec-Fetch-Site": "same-origin",
      "Content-Type": "application/json",
      ...headers,
    },
  });
}

const KEY = "X-LLMC-Page-Key";

/** Logs in; the key that the page keeps. */
async function logIn(server: HttpServer): Promise<string> {
  const { body } = await post(server, "/ui/login", { token: server.token });
  return JSON.parse(body).key;
}

const SHELLS = [
  "/ui",
  "/ui/calls",
  "/ui/storage",
  "/ui/sandbox",
  "/ui/config",
  "/ui/docs",
  "/ui/call?item=x",
  "/ui/handle?item=x",
];

const BROWSER = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

Deno.test("/: browsers are led to the page, programs are told where everything is", () =>
  withServer(async (server) => {
    const browser = await browse(server, { path: "/", headers: BROWSER });
    assert.deepEqual([browser.status, browser.header("Location")], [303, "/ui"]);
    const program = await browse(server, { path: "/", headers: { Accept: "application/json" } });
    assert.equal(program.status, 200);
    const { name, mcp, tool } = JSON.parse(program.body);
    assert.deepEqual([name, mcp, tool], ["llmc-mcp", "/mcp", "POST /tool"]);
    const wrong = await browse(server, {
      path: "/",
      headers: { ...BROWSER, "X-LLMC-Token": "a-wrong-token-of-enough-size" },
    });
    assert.equal(wrong.status, 401);
  }));

Deno.test("/docs: a browser is led to the page, which shows the same after the login", () =>
  withServer(async (server) => {
    assert.equal((await browse(server, { path: "/docs" })).status, 401, "a program is refused");
    const first = await browse(server, { path: "/docs", headers: BROWSER });
    assert.deepEqual([first.status, first.header("Location")], [303, "/ui/docs"]);
    const frame = await browse(server, { path: "/ui/docs", headers: BROWSER });
    assert.equal(frame.status, 200);
    assert.doesNotMatch(frame.body, /linux_fs_read/);
    const direct = await browse(server, { path: "/docs", headers: { ...BROWSER, "X-LLMC-Token": server.token } });
    assert.match(direct.body, /linux_fs_read/);
  }));

Deno.test("/: without the page browsers are led to the documents", () =>
  withServer(async (server) => {
    const answer = await browse(server, { path: "/", headers: BROWSER });
    assert.equal(answer.header("Location"), "/docs");
    assert.equal((await browse(server, { path: "/docs", headers: BROWSER })).status, 401);
  }, [...WITHOUT_LIMITS, "--set", "mcp.server.ui_enabled=false"]));

Deno.test("/ui: without a login a page is an empty frame, the same for everyone, and the stream is refused", () =>
  withServer(async (server, sandbox) => {
    await callTool(server, "linux_fs_read", { path: "a.txt" }, { "X-LLMC-Agent": "secret-agent" });
    const key = await logIn(server);
    for (const path of SHELLS) {
      const answer = await browse(server, { path });
      assert.equal(answer.status, 200, path);
      for (const secret of ["secret-agent", "linux_fs_read", sandbox.root, server.token, key]) {
        assert.ok(!answer.body.includes(secret), `${path} tells ${secret}`);
      }
      assert.equal((await browse(server, { path, headers: { [KEY]: key } })).body, answer.body);
    }
    for (const headers of [{}, { [KEY]: "" }, { [KEY]: "x".repeat(43) }, { Cookie: `llmc-page-key=${key}` }]) {
      assert.equal((await browse(server, { path: "/ui/live", headers })).status, 401);
      assert.equal((await browse(server, { path: "/ui/live?page=state", headers })).status, 401);
    }
  }));

Deno.test("/ui: a login sets no cookie, and its key is of no use on other paths", () =>
  withServer(async (server) => {
    const answer = await post(server, "/ui/login", { token: server.token });
    assert.equal(answer.status, 200);
    assert.equal(answer.header("Set-Cookie"), undefined);
    const { key } = JSON.parse(answer.body);
    assert.match(key, /^[\w-]{43}$/);
    const headers = { [KEY]: key };
    assert.equal((await browse(server, { method: "HEAD", path: "/ui/live", headers })).status, 200);
    for (const path of ["/metrics", "/docs", "/openapi.json"]) {
      assert.equal((await browse(server, { path, headers })).status, 401, path);
    }
    const call = JSON.stringify({ session_id: "s", name: "linux_fs_list", args: {} });
    const json = { ...headers, "Content-Type": "application/json" };
    assert.equal((await browse(server, { method: "POST", path: "/tool", body: call, headers: json })).status, 401);
    assert.equal((await browse(server, { method: "POST", path: "/mcp", body: "{}", headers: json })).status, 401);
  }));

Deno.test("/ui: requests of other pages are refused, whatever they carry", () =>
  withServer(async (server) => {
    const { proc_id } = await callTool(server, "linux_proc_start", { command: "bash -c 'read line'" });
    const key = await logIn(server), proof = { [KEY]: key };
    const fields = { act: "stop", id: proc_id };
    const host = new URL(server.url).host;
    const foreign: Record<string, string>[] = [
      { Origin: "https://other.example" },
      { Origin: "null" },
      { Origin: "" },
      { Origin: "http://127.0.0.1:1" }, // another server of the same host
      { Origin: `http://${host}.other.example` },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
      { "Content-Type": "text/plain" },
      { "Content-Type": "application/x-www-form-urlencoded" },
    ];
    for (const headers of foreign) {
      const answer = await post(server, "/ui/act", fields, { ...proof, ...headers });
      assert.ok([403, 415].includes(answer.status), JSON.stringify([headers, answer.status]));
      const entry = await post(server, "/ui/login", { token: server.token }, headers);
      assert.ok([403, 415].includes(entry.status), JSON.stringify([headers, entry.status]));
    }
    const wrong: Record<string, string>[] = [
      {},
      { [KEY]: "" },
      { [KEY]: key.slice(1) },
      { [KEY]: `${key}x` },
      { Cookie: `llmc-page-key=${key}; ${KEY}=${key}` },
      { "X-LLMC-Token": server.token }, // the token is not a login
    ];
    for (const headers of wrong) {
      const { status } = await post(server, "/ui/act", fields, headers);
      assert.equal(status, 403, JSON.stringify(headers));
    }
    assert.equal((await post(server, "/ui/act", { ...fields, key })).status, 422, "nor in the body");
    assert.equal((await callTool(server, "linux_proc_read", { proc_id, timeout_ms: 0 })).state, "running");

    const right = await post(server, "/ui/act", fields, proof);
    assert.deepEqual([right.status, right.body], [200, '{"said":"The process has ended."}']);
    assert.equal((await callTool(server, "linux_proc_read", { proc_id })).state, "exited");
  }));

Deno.test("/ui: a preflight of another origin is not answered with leave to send the key", () =>
  withServer(async (server) => {
    const answer = await browse(server, {
      method: "OPTIONS",
      path: "/ui/act",
      headers: {
        Origin: "https://page.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "x-llmc-page-key,content-type",
      },
    });
    assert.doesNotMatch(answer.header("Access-Control-Allow-Headers") ?? "", /page-key/i);
    const posted = await post(server, "/ui/login", { token: server.token }, { Origin: "https://page.example" });
    assert.equal(posted.status, 403, "an allowed origin may call tools, and is not the page");
  }, [...WITHOUT_LIMITS, "--set", 'mcp.server.allowed_origins=["https://page.example"]']));

Deno.test("/ui: a login is over for the server, not only for the browser, once it was ended", () =>
  withServer(async (server) => {
    const proof = { [KEY]: await logIn(server) };
    const look = () => browse(server, { method: "HEAD", path: "/ui/live", headers: proof });
    await post(server, "/ui/logout", {}, { ...proof, Origin: "https://other.example" });
    assert.equal((await look()).status, 200);
    assert.equal((await post(server, "/ui/logout", {}, proof)).status, 200);
    assert.equal((await look()).status, 401);
  }));

Deno.test("/ui: guessing tokens at the form is made slow, and never locks the right one out", () =>
  withServer(async (server) => {
    const guess = async () => {
      const started = performance.now();
      const { status } = await post(server, "/ui/login", { token: crypto.randomUUID() });
      return [status, performance.now() - started] as const;
    };
    let total = 0;
    for (let attempt = 0; attempt < 6; attempt++) {
      const [status, durationMs] = await guess();
      assert.equal(status, 401);
      total += durationMs;
    }
    assert.ok(total >= 700, `${total} ms`); // the last three wait 100, 200 and 400 ms
    const many = await Promise.all(Array.from({ length: 12 }, guess));
    assert.ok(many.some(([status]) => status === 429));
    assert.equal((await post(server, "/ui/login", { token: server.token })).status, 200);
  }));

Deno.test("/ui: large and endless bodies are cut off", () =>
  withServer(async (server) => {
    const answer = await post(server, "/ui/login", { token: "x".repeat(10_000) });
    assert.equal(answer.status, 413);
    const chunked = { "Content-Length": "", "Transfer-Encoding": "chunked" };
    const body = `2800\r\n${"x".repeat(0x2800)}\r\n0\r\n\r\n`;
    const headers = { Origin: server.url, "Content-Type": "application/json", ...chunked };
    assert.equal((await browse(server, { method: "POST", path: "/ui/login", body, headers })).status, 413);
  }));

Deno.test("/ui: every answer forbids scripts, frames, caches and guesses", () =>
  withServer(async (server) => {
    for (const path of [...SHELLS, "/ui/app.js", "/ui/key.js", "/ui/style.css", "/ui/icon.svg"]) {
      const answer = await browse(server, { path });
      const policy = answer.header("Content-Security-Policy") ?? "";
      assert.match(policy, /^default-src 'none'; /, path);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.match(policy, /base-uri 'none'/);
      assert.doesNotMatch(policy, /unsafe|\*|https?:/);
      assert.equal(answer.header("X-Content-Type-Options"), "nosniff");
      assert.equal(answer.header("X-Frame-Options"), "DENY");
      assert.equal(answer.header("Cache-Control"), "no-store");
      assert.equal(answer.header("Referrer-Policy"), "same-origin");
      assert.ok(answer.header("X-Correlation-Id"));
    }
  }));

Deno.test("/ui: an open page ends with the server", () =>
  withServer(async (server) => {
    const response = await fetch(`${server.url}/ui/live`, { headers: { [KEY]: await logIn(server) } });
    assert.equal(response.headers.get("Content-Type"), "text/event-stream; charset=utf-8");
    const reading = response.text();
    await server.stop();
    assert.match(await reading, /event: closing\n/);
  }));

Deno.test("/ui: a call waits for the operator's answer while somebody looks, and not once nobody does", () =>
  withServer(async (server) => {
    const proof = { [KEY]: await logIn(server) };
    const look = new AbortController();
    const page = await fetch(`${server.url}/ui/live`, { headers: proof, signal: look.signal });
    const reader = (page.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    const waiting = callTool(server, "linux_fs_delete", { path: "a.txt" });
    let seen = "";
    while (!/q-[\w-]{36}/.test(seen)) seen += (await reader.read()).value ?? "";
    const id = seen.match(/q-([\w-]{36})/)?.[1] ?? "";
    await post(server, "/ui/act", { act: "deny", id }, proof);
    assert.equal((await waiting).detail_code, "APPROVAL_DECLINED");
    assert.match((await post(server, "/ui/act", { act: "deny", id }, proof)).body, /closed already/);
    look.abort();
    await reader.read().catch(() => {}); // it was cut

    // The server learns a moment later that its reader is gone; with a token alone nobody looks in the first place.
    const program = await fetch(`${server.url}/ui/live?page=state`, { headers: { "X-LLMC-Token": server.token } });
    for (let tries = 0, code; code !== "APPROVAL_REQUIRED"; tries++) {
      assert.ok(tries < 5, "the call waits for nobody");
      const late = AbortSignal.timeout(2_000);
      code = await callTool(server, "linux_fs_delete", { path: "a.txt" }, {}, late).then(
        (answer) => answer.detail_code,
        () => "late",
      );
    }
    await program.body?.cancel();
  }, [...WITHOUT_LIMITS, "--set", 'mcp.approvals.require=["destroy"]']));

Deno.test("/ui: what an operator looks at uses up nothing that clients may ask", () =>
  withServer(async (server) => {
    const headers = { [KEY]: await logIn(server) };
    for (let count = 0; count < 3; count++) {
      assert.equal((await browse(server, { method: "HEAD", path: "/ui/live", headers })).status, 200);
    }
    for (let count = 0; count < 4; count++) {
      assert.equal((await callTool(server, "linux_fs_stat", { path: "a.txt" })).detail_code, undefined);
    }
  }, ["--set", "mcp.limits.rate_limit_rps=1", "--set", "mcp.limits.rate_limit_burst=4"]));

Deno.test("/ui: streams are bounded, and a closed one makes room", () =>
  withServer(async (server) => {
    const headers = { "X-LLMC-Token": server.token };
    const open = () => {
      const abort = new AbortController();
      return fetch(`${server.url}/ui/live?page=state`, { headers, signal: abort.signal }).then(async (response) => {
        if (response.status !== 200) await response.body?.cancel();
        return { status: response.status, abort, response }; // kept, because what nobody holds is closed
      });
    };
    const streams = await Promise.all(Array.from({ length: 64 }, open));
    assert.ok(streams.every(({ status }) => status === 200));
    assert.equal((await open()).status, 429);
    for (const { abort } of streams) abort.abort();
    for (let status = 0, tries = 0; status !== 200; tries++) {
      assert.ok(tries < 100, "no room was made");
      const { status: now, abort } = await open();
      status = now;
      abort.abort();
    }
  }));

Deno.test("/ui: asking for the head of a stream opens none", () =>
  withServer(async (server) => {
    const headers = { "X-LLMC-Token": server.token };
    for (let count = 0; count < 65; count++) {
      const head = await fetch(`${server.url}/ui/live?page=state`, { method: "HEAD", headers });
      assert.equal(head.headers.get("Content-Type"), "text/event-stream; charset=utf-8");
    }
    const stream = await fetch(`${server.url}/ui/live?page=state`, { headers });
    assert.equal(stream.status, 200);
    await stream.body?.cancel();
  }));

Deno.test("/ui?page=state tells a program the same as data", () =>
  withServer(async (server) => {
    await callTool(server, "linux_fs_read", { path: "a.txt" });
    const command = "bash -c 'printf \"begun \\033[31m\"; read line'";
    await callTool(server, "linux_proc_start", { command, wait_ms: 30_000 }); // it waits for the first output only
    const abort = new AbortController();
    const headers = { Authorization: `Bearer ${server.token}` };
    const response = await fetch(`${server.url}/ui/live?page=state`, { headers, signal: abort.signal });
    let text = "";
    for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.includes("\n\n")) break;
    }
    abort.abort();
    const { id, content } = JSON.parse(text.match(/^event: part\ndata: (.*)\n\n/)?.[1] ?? "{}");
    assert.equal(id, "state");
    const state = JSON.parse(content);
    assert.equal(state.calls.count, 2);
    assert.equal(state.recent[1].args, "path=a.txt");
    assert.equal(state.processes[0].last_line, "begun");
    assert.ok(["full", "landlock", "bwrap", "none"].includes(state.sandbox.level));
  }));

Deno.test("/ui is not there when mcp.server.ui_enabled is false", () =>
  withServer(async (server) => {
    for (const path of ["/ui", "/ui/calls", "/ui/live", "/ui/app.js"]) {
      assert.equal((await ask(server, { method: "GET", path })).status, 404, path);
    }
  }, ["--set", "mcp.server.ui_enabled=false"]));
