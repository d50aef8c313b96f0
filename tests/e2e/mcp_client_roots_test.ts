/** Roots of a client narrow the configured ones for its session, and never widen them. @module */
import assert from "node:assert/strict";
import { BINARY, type HttpServer, runBinary, Sandbox, startHttp } from "../support/binary.ts";
import { eventually } from "../support/eventually.ts";
import { type Connected, type Face, httpFaces, SDK_TIMERS, stdioFaces } from "../support/faces.ts";
import { BUBBLEWRAP, needing } from "../support/needs.ts";
import { WITHOUT_LIMITS } from "../support/raw_http.ts";
import { StdioPeer, textOf } from "../support/stdio_peer.ts";

const FILES = {
  "app/main.txt": "main of the app\n",
  "app/sub/deep.txt": "deep\n",
  "lib/lib.txt": "text of the library\n",
};

/** Connects a client with these roots; `set` changes them and tells the server. */
async function connect(face: Face, uris: readonly string[]) {
  let now = uris, asked = 0;
  const client = await face.connect({ capabilities: { roots: { listChanged: true } } }, (client) => {
    client.setRequestHandler("roots/list", () => {
      asked++;
      return { roots: now.map((uri) => ({ uri })) };
    });
  });
  return {
    client,
    asked: () => asked,
    async set(uris: readonly string[]) {
      now = uris;
      await client.sendRootsListChanged();
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function call(client: Connected, name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  return { text: content.map((part) => part.type === "text" ? part.text : "").join(""), isError };
}

/** Runs a check on each face whose protocol lets a server ask for roots. */
async function onEachFace(
  t: Deno.TestContext,
  sandbox: Sandbox,
  check: (face: Face, t: Deno.TestContext) => Promise<void>,
  args: readonly string[] = [],
): Promise<void> {
  await using server = await startHttp(sandbox, { args: [...args, ...WITHOUT_LIMITS] });
  for (const face of [...stdioFaces(sandbox, args), ...httpFaces(server)]) {
    if (!face.isStateless) await t.step(face.label, (t) => check(face, t));
  }
}

Deno.test("a client's root below a configured one is all that its session reaches", SDK_TIMERS, async (t) => {
  await using sandbox = await Sandbox.make(FILES);
  await onEachFace(t, sandbox, async (face, t) => {
    await using peer = await connect(face, [`file://${sandbox.root}/app`]);
    const { client } = peer;
    await t.step("relative paths start there, and results name paths from there", async () => {
      assert.match((await call(client, "linux_fs_read", { path: "main.txt" })).text, /main of the app/);
      const { text } = await call(client, "linux_fs_list", { path: "." });
      assert.match(text, /main\.txt/);
      assert.doesNotMatch(text, /lib/);
      assert.match((await call(client, "linux_search_content", { root: ".", pattern: "deep" })).text, /sub\/deep\.txt/);
      const missing = await call(client, "linux_fs_patch_block", { path: "sub", old_text: "a", new_text: "b" });
      assert.match(missing.text, /IS_DIRECTORY: 'sub'/);
    });
    await t.step("the rest of the configured root is refused, with the reason and the setting", async () => {
      for (
        const [name, args] of [
          ["linux_fs_read", { path: `${sandbox.root}/lib/lib.txt` }],
          ["linux_fs_read", { path: "../lib/lib.txt" }],
          ["linux_fs_write", { path: `${sandbox.root}/lib/new.txt`, content: "x" }],
          ["linux_fs_move", { source: "main.txt", target: `${sandbox.root}/main.txt` }],
          ["linux_search_files", { root: sandbox.root, pattern: "lib" }],
          ["run_cmd", { command: "ls", cwd: sandbox.root }],
        ] as const
      ) {
        const { text, isError } = await call(client, name, args);
        assert.ok(isError, `${name} ${JSON.stringify(args)}: ${text}`);
        assert.match(text, /INVALID_PATH: '.*' is outside the roots of this client's session/);
        assert.match(text, /mcp\.tools\.client_roots = "ignore"/);
      }
    });
    const hidden = needing("programs of the session do not see it, however they name it", BUBBLEWRAP);
    await t.step({
      ...hidden,
      async fn() {
        const file = `${sandbox.root}/lib/lib.txt`;
        for (
          const [name, args] of [
            ["run_cmd", { command: `cat ${file}` }],
            ["run_cmd", { command: "cat ../lib/lib.txt | head -n 5" }],
            ["run_cmd", { command: `X=${sandbox.root}; cat $X/l*/lib.txt; ls $X` }],
            ["run_cmd", { argv: ["python3", "-c", `print(open('${file}').read())`] }],
            ["linux_proc_start", { command: `cat ${file}` }],
            ["te_run", { command: `cat ${file}` }],
          ] as const
        ) {
          const { text } = await call(client, name, args);
          assert.doesNotMatch(text, /text of the library|^lib$/m);
        }
      },
    });
    await t.step("it is no more to be deleted than a configured one", async () => {
      for (const path of [".", `${sandbox.root}/app`]) {
        assert.match(
          (await call(client, "linux_fs_delete", { path, recursive: true })).text,
          /cannot be moved or deleted/,
        );
      }
    });
    await t.step("programs start there", async () => {
      assert.match((await call(client, "run_cmd", { command: "ls" })).text, /main\.txt/);
      assert.match((await call(client, "linux_proc_start", { command: "cat main.txt" })).text, /main of the app/);
    });
    await t.step("resources and completions are held to it", async () => {
      const { contents } = await client.readResource({ uri: "llmc://file/main.txt" });
      assert.match(JSON.stringify(contents), /main of the app/);
      const outside = `llmc://file/${encodeURIComponent(`${sandbox.root}/lib/lib.txt`)}`;
      await assert.rejects(client.readResource({ uri: outside }), /outside the roots of this client's session/);
      await assert.rejects(client.subscribeResource({ uri: outside }), /NOT_FOUND/);
      await client.subscribeResource({ uri: "llmc://file/main.txt" });
      const { completion } = await client.complete({
        ref: { type: "ref/resource", uri: "llmc://file/{path}" },
        argument: { name: "path", value: "" },
      });
      assert.deepEqual(completion.values.toSorted(), ["main.txt", "sub/"]);
    });
    assert.equal(peer.asked(), 1, "roots are asked for once");
  }, ["--set", 'mcp.tools.toolsets=["fs","search","run","proc","te"]']);
});

Deno.test("a client's roots never widen the configured ones", SDK_TIMERS, async (t) => {
  await using sandbox = await Sandbox.make(FILES);
  await Deno.writeTextFile(`${sandbox.dir}/home/secret.txt`, "secret");
  await Deno.symlink(`${sandbox.dir}/home`, `${sandbox.root}/way-out`);
  const outside = { path: `${sandbox.dir}/home/secret.txt` };
  const cases: readonly [string, string[], RegExp][] = [
    ["one above", [`file://${sandbox.dir}`], /is outside the allowed roots/],
    ["the whole machine", ["file:///"], /is outside the allowed roots/],
    ["one elsewhere", [`file://${sandbox.dir}/home`], /is outside the allowed roots/],
    ["a link that leads out", [`file://${sandbox.root}/way-out`], /is outside the allowed roots/],
    ["none", [], /is outside the allowed roots/],
    [
      "no folders of this machine",
      ["https://example.com/a", "file://host/a", "file:///%00", "nonsense"],
      /allowed roots/,
    ],
    [
      "one inside and one above",
      [`file://${sandbox.root}/app`, `file://${sandbox.dir}`],
      /is outside the allowed roots/,
    ],
  ];
  await onEachFace(t, sandbox, async (face, t) => {
    for (const [name, uris, refusal] of cases) {
      await t.step(name, async () => {
        await using peer = await connect(face, uris);
        assert.match((await call(peer.client, "linux_fs_read", { path: "lib/lib.txt" })).text, /text of the library/);
        assert.match((await call(peer.client, "linux_fs_read", outside)).text, refusal);
      });
    }
  });
});

Deno.test("of several roots on both sides what both hold is open", SDK_TIMERS, async (t) => {
  await using sandbox = await Sandbox.make(FILES);
  await Deno.mkdir(`${sandbox.dir}/other`);
  await Deno.writeTextFile(`${sandbox.dir}/other/o.txt`, "the other root\n");
  await Deno.symlink(`${sandbox.root}/lib`, `${sandbox.root}/app/link-to-lib`);
  const uris = [`file://${sandbox.dir}/other/`, `file://${sandbox.root}/app/link-to-lib`, `file://${sandbox.dir}/home`];
  await onEachFace(t, sandbox, async (face) => {
    await using peer = await connect(face, uris);
    const read = (path: string) => call(peer.client, "linux_fs_read", { path });
    assert.match((await read("o.txt")).text, /the other root/, "relative paths start at the client's first root");
    assert.match((await read(`${sandbox.root}/lib/lib.txt`)).text, /text of the library/);
    assert.match((await read(`${sandbox.root}/app/main.txt`)).text, /outside the roots of this client's session/);
  }, ["--root", `${sandbox.dir}/other`]);
});

Deno.test("a client's root that does not exist is ignored", SDK_TIMERS, async (t) => {
  await using sandbox = await Sandbox.make(FILES);
  await onEachFace(t, sandbox, async (face) => {
    await using some = await connect(face, [`file://${sandbox.root}/gone`, `file://${sandbox.root}/lib`]);
    assert.match((await call(some.client, "linux_fs_read", { path: "lib.txt" })).text, /text of the library/);
    assert.match(
      (await call(some.client, "linux_fs_read", { path: `${sandbox.root}/app/main.txt` })).text,
      /INVALID_PATH/,
    );
    await using none = await connect(face, [`file://${sandbox.root}/gone`]);
    assert.match((await call(none.client, "linux_fs_read", { path: "app/main.txt" })).text, /main of the app/);
  });
});

Deno.test("stdio ignores an appended root that does not exist, with a warning", SDK_TIMERS, async () => {
  await using sandbox = await Sandbox.make(FILES);
  const gone = `${sandbox.dir}/gone`;
  const { code, stderr } = await runBinary(["stdio", gone, sandbox.root], { env: sandbox.env, cwd: sandbox.dir });
  assert.equal(code, 0, stderr);
  assert.match(stderr, new RegExp(`ignoring the root ${gone}: it does not exist`));
  assert.match(stderr, new RegExp(`"roots":"${sandbox.root}"`));
});

Deno.test("a client that changes its roots is asked again", SDK_TIMERS, async (t) => {
  await using sandbox = await Sandbox.make(FILES);
  await onEachFace(t, sandbox, async (face) => {
    await using peer = await connect(face, [`file://${sandbox.root}/app`]);
    const { client } = peer;
    assert.match((await call(client, "linux_fs_read", { path: "main.txt" })).text, /main of the app/);
    await peer.set([`file://${sandbox.root}/lib`]);
    await eventually(async () => {
      assert.match((await call(client, "linux_fs_read", { path: "lib.txt" })).text, /text of the library/);
    });
    assert.match((await call(client, "linux_fs_read", { path: `${sandbox.root}/app/main.txt` })).text, /this client's/);
    await peer.set([`file://${sandbox.root}`]);
    await eventually(async () => {
      assert.match((await call(client, "linux_fs_read", { path: "app/main.txt" })).text, /main of the app/);
    });
    assert.equal(peer.asked(), 3);
  });
});

Deno.test("one session's roots are not another's", SDK_TIMERS, async () => {
  await using sandbox = await Sandbox.make(FILES);
  await using server = await startHttp(sandbox, { args: WITHOUT_LIMITS });
  const [face] = httpFaces(server);
  assert.ok(face);
  await using app = await connect(face, [`file://${sandbox.root}/app`]);
  await using lib = await connect(face, [`file://${sandbox.root}/lib`]);
  await using free = await face.connect();
  const [a, b, c] = await Promise.all([
    call(app.client, "linux_fs_read", { path: "main.txt" }),
    call(lib.client, "linux_fs_read", { path: "lib.txt" }),
    call(free, "linux_fs_read", { path: "lib/lib.txt" }),
  ]);
  assert.deepEqual([a.isError, b.isError, c.isError], [false, false, false]);
  assert.match(
    (await call(app.client, "linux_fs_read", { path: `${sandbox.root}/lib/lib.txt` })).text,
    /this client's/,
  );
  const rest = await postTool(server, { name: "linux_fs_read", args: { path: "lib/lib.txt" } });
  assert.equal(rest.status, 200, "REST has no roots of a client");
});

async function postTool(server: HttpServer, body: Record<string, unknown>): Promise<Response> {
  const response = await fetch(`${server.url}/tool`, {
    method: "POST",
    headers: { "X-LLMC-Token": server.token, "Content-Type": "application/json" },
    body: JSON.stringify({ session_id: "s", ...body }),
  });
  await response.body?.cancel();
  return response;
}

Deno.test("code search and the start of a session show a client's part of the index only", SDK_TIMERS, async (t) => {
  await using sandbox = await Sandbox.make({
    "app/AGENTS.md": "# App\n\n- You must run the tests of the app first.\n",
    "app/main.ts": "/** Parses the invoice of the app. */\nexport function parseInvoice() {}\n",
    "lib/parse.ts": "/** Parses the invoice in the library. */\nexport function parseInvoiceInLibrary() {}\n",
  });
  await Deno.mkdir(`${sandbox.root}/.git`);
  await onEachFace(t, sandbox, async (face) => {
    await using peer = await connect(face, [`file://${sandbox.root}/app`]);
    await using free = await face.connect();
    await eventually(async () => {
      const all = await call(free, "rag_search", { q: "parse invoice", k: 10 });
      assert.match(all.text, /app\/main\.ts#L/);
      assert.match(all.text, /lib\/parse\.ts#L/);
    });
    const part = await call(peer.client, "rag_search", { q: "parse invoice", k: 10 });
    assert.match(part.text, /## main\.ts#L/);
    assert.doesNotMatch(part.text, /library/i);
    const named = await call(peer.client, "rag_search", { q: "parseInvoiceInLibrary", k: 10 });
    assert.doesNotMatch(named.text, /lib\/parse/);
    const start = await call(peer.client, "rag_bootload");
    assert.match(start.text, /tests of the app first[\s\S]*main\.ts/);
    assert.doesNotMatch(start.text, /lib/);
  });
});

Deno.test("where the operator says so, a client's roots do nothing, and are not asked for", SDK_TIMERS, async (t) => {
  await using sandbox = await Sandbox.make(FILES);
  for (const set of ["mcp.tools.client_roots=ignore", "mcp.tools.enforce_roots=false"]) {
    const args = ["--set", set, "--set", "mcp.tools.confinement=best_effort"];
    await t.step(set, (t) =>
      onEachFace(t, sandbox, async (face) => {
        await using peer = await connect(face, [`file://${sandbox.root}/app`]);
        const { text } = await call(peer.client, "linux_fs_read", { path: `${sandbox.root}/lib/lib.txt` });
        assert.match(text, /text of the library/);
        assert.equal(peer.asked(), 0);
      }, args));
  }
});

Deno.test("the protocol without handshake asks nothing: the configured roots hold", SDK_TIMERS, async (t) => {
  await using sandbox = await Sandbox.make(FILES);
  await using server = await startHttp(sandbox, { args: WITHOUT_LIMITS });
  for (const face of [...stdioFaces(sandbox), ...httpFaces(server)].filter(({ isStateless }) => isStateless)) {
    await t.step(face.label, async () => {
      await using peer = await connect(face, [`file://${sandbox.root}/app`]);
      assert.match((await call(peer.client, "linux_fs_read", { path: "lib/lib.txt" })).text, /text of the library/);
      assert.equal(peer.asked(), 0);
    });
  }
});

Deno.test("a client that declares roots and never tells them is served all the same", SDK_TIMERS, async (t) => {
  await using sandbox = await Sandbox.make(FILES);
  const read = { name: "linux_fs_read", arguments: { path: "lib/lib.txt" } };
  const open = () => StdioPeer.open(sandbox, { capabilities: { roots: {} } });
  const question = (frame: Record<string, unknown>) => frame.method === "roots/list";
  await t.step("it answers with an error: it is asked once", async () => {
    await using peer = await open();
    const id = await peer.ask("tools/call", read);
    const { id: asked } = await peer.until(question);
    await peer.send({ jsonrpc: "2.0", id: asked, error: { code: -32601, message: "Method not found" } });
    assert.match(textOf(await peer.until((frame) => frame.id === id && !question(frame))), /text of the library/);
    assert.match(await peer.call("linux_fs_read", { path: "lib/lib.txt" }), /text of the library/);
  });
  await t.step(
    "it is silent: its first calls wait for a moment, later ones do not, and a late answer counts",
    async () => {
      await using peer = await open();
      const id = await peer.ask("tools/call", read);
      const { id: asked } = await peer.until(question);
      assert.match(textOf(await peer.until((frame) => frame.id === id)), /text of the library/);
      assert.match(await peer.call("linux_fs_read", { path: "lib/lib.txt" }), /text of the library/);
      const result = { roots: [{ uri: `file://${sandbox.root}/app` }] };
      await peer.send({ jsonrpc: "2.0", id: asked, result });
      await eventually(async () => {
        assert.match(await peer.call("linux_fs_read", { path: "main.txt" }), /main of the app/);
      });
    },
  );
  await t.step("its input has ended: what it asked is answered at once", async () => {
    const child = new Deno.Command(BINARY, {
      args: ["stdio", "--root", sandbox.root],
      clearEnv: true,
      env: sandbox.env,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const clientInfo = { name: "piped", version: "1" };
    const messages = [
      {
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: { roots: {} }, clientInfo },
      },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: read },
    ].map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const input = child.stdin.getWriter();
    await input.write(new TextEncoder().encode(messages.join("")));
    await input.close();
    const { stdout } = await child.output();
    assert.match(new TextDecoder().decode(stdout), /text of the library/);
  });
});

Deno.test("a subscription that is ended while its roots are asked for is over", async () => {
  await using sandbox = await Sandbox.make(FILES);
  await using peer = await StdioPeer.open(sandbox, { capabilities: { roots: {} } });
  const uri = "llmc://file/lib/lib.txt";
  const begun = await peer.ask("resources/subscribe", { uri });
  const { id: asked } = await peer.until((frame) => frame.method === "roots/list");
  await peer.request("resources/unsubscribe", { uri });
  await peer.send({ jsonrpc: "2.0", id: asked, result: { roots: [{ uri: `file://${sandbox.root}` }] } });
  await peer.until((frame) => frame.id === begun);
  await sandbox.write("lib/lib.txt", "another text\n");
  await new Promise((resolve) => setTimeout(resolve, 1_200)); // that nothing comes has no event
  await peer.request("ping");
});
