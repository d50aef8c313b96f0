/** Handles and processes belong to a principal: all its sessions see them, another principal never does. @module */
import assert from "node:assert/strict";
import { type HttpServer, Sandbox, startHttp } from "../support/binary.ts";
import { type Connected, type Face, httpFaces, SDK_TIMERS, stdioFaces } from "../support/faces.ts";
import { ask, WITHOUT_LIMITS } from "../support/raw_http.ts";

const WORD = "word-that-only-its-owner-reads";

async function call(client: Connected, name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  return content.map((part) => part.type === "text" ? part.text : "").join("");
}

/** A session of its own for one call, as some clients open them. */
async function callOnce(face: Face | undefined, name: string, args: Record<string, unknown>): Promise<string> {
  assert.ok(face);
  await using client = await face.connect();
  return await call(client, name, args);
}

async function overRest(server: HttpServer, session: string, name: string, args: Record<string, unknown>) {
  return (await ask(server, { body: JSON.stringify({ session_id: session, name, args }) })).body;
}

/** Keeps a result that is too long for one answer. */
const keepLong = { command: `bash -c 'for i in $(seq 20000); do echo ${WORD} $i; done'` };
const handleIn = (text: string) => text.match(/\bH_\w+/)?.[0] ?? assert.fail(text);
const processIn = (text: string) => text.match(/\bP_\w+/)?.[0] ?? assert.fail(text);

Deno.test("sessions of one token see what any of them keeps, and handles outlive a restart", SDK_TIMERS, async () => {
  await using sandbox = await Sandbox.make();
  const token = `test-${crypto.randomUUID()}`, options = { args: WITHOUT_LIMITS, env: { LLMC_MCP_TOKEN: token } };
  const first = { ...await startHttp(sandbox, options), token };
  const [older, newer] = httpFaces(first);
  const handle = handleIn(await callOnce(older, "run_cmd", keepLong));
  const proc_id = processIn(await callOnce(older, "linux_proc_start", { argv: ["cat"] }));
  for (const face of [older, newer]) {
    assert.ok((await callOnce(face, "linux_handle_read", { handle, limit: 5 })).includes(WORD));
    const sent = await callOnce(face, "linux_proc_send", { proc_id, input: "to the cat", wait_for: "to the cat" });
    assert.match(sent, /to the cat/);
  }
  assert.ok((await overRest(first, "any", "linux_handle_read", { handle, limit: 5 })).includes(WORD));
  assert.match(await overRest(first, "any", "linux_proc_stop", { proc_id }), /exited/);
  await first.stop();
  await using second = await startHttp(sandbox, options);
  for (const face of httpFaces({ url: second.url, token })) {
    assert.ok((await callOnce(face, "linux_handle_read", { handle, limit: 5 })).includes(WORD));
  }
});

Deno.test(
  "a user's next server over stdio sees the handles of the one before, with the same roots only",
  SDK_TIMERS,
  async () => {
    await using sandbox = await Sandbox.make({ "inner/a.txt": "a\n" });
    const [older, newer] = stdioFaces(sandbox);
    const handle = handleIn(await callOnce(older, "run_cmd", keepLong));
    assert.ok((await callOnce(newer, "linux_handle_read", { handle, limit: 5 })).includes(WORD));
    const [other] = stdioFaces(sandbox, ["--root", `${sandbox.dir}/home`]);
    const refused = await callOnce(other, "linux_handle_read", { handle, limit: 5 });
    assert.match(refused, /^HANDLE_NOT_FOUND/);
  },
);

/** Everything that a client can try with what it may have guessed; the answers. */
async function attack(face: Face, handle: string, procId: string): Promise<string[]> {
  await using client = await face.connect();
  const said = [
    await call(client, "linux_handle_read", { handle }),
    await call(client, "linux_proc_read", { proc_id: procId, offset: 0, timeout_ms: 0 }),
    await call(client, "linux_proc_send", { proc_id: procId, input: "x" }),
    await call(client, "linux_proc_stop", { proc_id: procId }),
  ];
  for (const uri of [`llmc://handle/${handle}`, `llmc://process/${procId}`]) {
    await assert.rejects(client.readResource({ uri }), /NOT_FOUND/);
    const ref = { type: "ref/resource" as const, uri: uri.replace(/\w+$/, "{id}") };
    const { completion } = await client.complete({ ref, argument: { name: "id", value: "" } });
    assert.deepEqual(completion.values, []);
  }
  return said;
}

Deno.test("another principal neither reads, uses nor ends them", SDK_TIMERS, async (t) => {
  await using sandbox = await Sandbox.make();
  const anonymous = ["--set", "mcp.auth.allow_unauthenticated=true"];
  await using server = await startHttp(sandbox, { args: [...WITHOUT_LIMITS, ...anonymous] });
  await using other = await startHttp(sandbox, { args: WITHOUT_LIMITS });
  const [owner] = httpFaces(server);
  const handle = handleIn(await callOnce(owner, "run_cmd", keepLong));
  const procId = processIn(await callOnce(owner, "linux_proc_start", { argv: ["cat"] }));
  await callOnce(owner, "linux_proc_send", { proc_id: procId, input: WORD });
  const withoutToken = (input: string | URL | Request, init?: RequestInit) => {
    const headers = new Headers(init?.headers);
    headers.delete("Authorization");
    return fetch(input, { ...init, headers });
  };
  const others: [string, Face[]][] = [
    ["no token, on the same server", httpFaces(server, {}, withoutToken)],
    ["another token, on the same store", httpFaces(other)],
    ["the same user over stdio", stdioFaces(sandbox)],
  ];
  for (const [who, faces] of others) {
    for (const face of faces) {
      await t.step(`${who}: ${face.label}`, async () => {
        const [read, output, sent, stopped] = await attack(face, handle, procId);
        assert.match(read ?? "", /^HANDLE_NOT_FOUND/);
        assert.match(output ?? "", /no such process/);
        assert.match(sent ?? "", /^PROCESS_NOT_FOUND/);
        assert.match(stopped ?? "", /no such process|no_such_process/);
      });
    }
  }
  await t.step("names that a caller gives itself are labels, never a principal", async () => {
    const ownerName = new Uint8Array(
      await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`name of ${server.token}`)),
    ).toHex().slice(0, 16);
    for (const session of [ownerName, `${ownerName}/`, "*", "s"]) {
      const body = JSON.stringify({ session_id: session, name: "linux_handle_read", args: { handle } });
      const refused = await ask(server, { headers: { "X-LLMC-Token": "" }, body });
      assert.equal(JSON.parse(refused.body).detail_code, "HANDLE_NOT_FOUND", refused.body);
    }
  });
  await t.step("the owner still has everything", async () => {
    assert.ok((await callOnce(owner, "linux_handle_read", { handle, limit: 5 })).includes(WORD));
    const read = await callOnce(owner, "linux_proc_read", { proc_id: procId, offset: 0, timeout_ms: 0 });
    assert.ok(read.includes(WORD), read);
  });
});

Deno.test(
  "a session that its client's roots narrow does not see what comes from outside them",
  SDK_TIMERS,
  async () => {
    await using sandbox = await Sandbox.make({ "app/a.txt": "a\n", "lib/long.txt": `${WORD}\n`.repeat(20_000) });
    await using server = await startHttp(sandbox, { args: WITHOUT_LIMITS });
    const [face] = httpFaces(server);
    assert.ok(face);
    const handle = handleIn(await callOnce(face, "linux_fs_read", { path: "lib/long.txt" }));
    const narrow = (folder: string) =>
      face.connect({ capabilities: { roots: {} } }, (client) => {
        client.setRequestHandler("roots/list", () => ({ roots: [{ uri: `file://${sandbox.root}/${folder}` }] }));
      });
    await using app = await narrow("app");
    assert.match(await call(app, "linux_handle_read", { handle }), /^HANDLE_NOT_FOUND/);
    await using lib = await narrow("lib");
    const own = handleIn(await call(lib, "linux_fs_read", { path: "long.txt" }));
    assert.match(await call(app, "linux_handle_read", { handle: own }), /^HANDLE_NOT_FOUND/);
    await using again = await narrow("lib");
    assert.ok((await call(again, "linux_handle_read", { handle: own, limit: 5 })).includes(WORD));
  },
);
