/** Calls that need approval: asked through the client where it supports that, else by a code. @module */
import type { ElicitResult } from "@modelcontextprotocol/client";
import assert from "node:assert/strict";
import { BINARY, runBinary, Sandbox, startHttp } from "../support/binary.ts";
import { eventually } from "../support/eventually.ts";
import { type Connected, type Face, httpFaces, SDK_TIMERS, stdioFaces } from "../support/faces.ts";
import { processesOf } from "../support/processes.ts";
import { WITHOUT_LIMITS } from "../support/raw_http.ts";

const REQUIRE = ["--set", 'mcp.approvals.require=["destroy","linux_fs_write"]'];
/** A name that a file cannot hide its end with. */
const HIDING = "safe\u202etxt.sh\u0007";
const CAN_ASK = { capabilities: { elicitation: { form: {} } } };

type Reply = ElicitResult | (() => never);

/** Connects a client whose user answers so; returns also what the user was shown. */
async function connect(face: Face, reply: Reply): Promise<{ client: Connected; shown: string[]; forms: unknown[] }> {
  const shown: string[] = [], forms: unknown[] = [];
  const client = await face.connect(CAN_ASK, (client) => {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      shown.push(params.message);
      if ("requestedSchema" in params) forms.push(params.requestedSchema);
      return typeof reply === "function" ? reply() : reply;
    });
  });
  return { client, shown, forms };
}

async function call(client: Connected, name: string, args: Record<string, unknown>) {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  return { text: content.map((part) => part.type === "text" ? part.text : "").join(""), isError };
}

Deno.test("a person is asked through the client, once for each call", SDK_TIMERS, async (t) => {
  await using sandbox = await Sandbox.make();
  await using server = await startHttp(sandbox, { args: [...REQUIRE, ...WITHOUT_LIMITS] });
  for (const face of [...stdioFaces(sandbox, REQUIRE), ...httpFaces(server)]) {
    await t.step(face.label, async (t) => {
      await sandbox.write("a.txt", "one\n");
      await t.step("what they allow runs", async () => {
        const { client, shown } = await connect(face, { action: "accept", content: { allow: true } });
        await using _ = client;
        assert.match((await call(client, "linux_fs_write", { path: "b.txt", content: "secret text" })).text, /b\.txt/);
        assert.equal(shown.length, 1);
        assert.match(shown[0] ?? "", /linux_fs_write .*effect: write\) with\npath: b\.txt\ncontent: secret text$/);
        assert.match((await call(client, "linux_fs_write", { path: "b.txt", content: "again" })).text, /b\.txt/);
        assert.equal(shown.length, 2); // consent is for one call
        await call(client, "linux_fs_read", { path: "b.txt" });
        assert.equal(shown.length, 2); // reading needs none
      });
      for (
        const reply of [
          { action: "decline" },
          { action: "accept", content: { allow: false } },
        ] satisfies ElicitResult[]
      ) {
        await t.step(`${JSON.stringify(reply)} is a refusal that the model understands`, async () => {
          const { client } = await connect(face, reply);
          await using _ = client;
          const { text, isError } = await call(client, "linux_fs_delete", { path: "a.txt" });
          assert.ok(isError);
          assert.match(text, /APPROVAL_DECLINED: the person declined linux_fs_delete/);
          await Deno.stat(`${sandbox.root}/a.txt`);
        });
      }
      for (
        const [reply, reason] of [
          [{ action: "cancel" }, "the person closed the question without an answer"],
          [{ action: "accept", content: {} }, "the client answered without the person's choice"],
        ] satisfies [ElicitResult, string][]
      ) {
        await t.step(
          `${JSON.stringify(reply)} decides nothing, and the model is not told that it was declined`,
          async () => {
            const { client } = await connect(face, reply);
            await using _ = client;
            const { text, isError } = await call(client, "linux_fs_delete", { path: "a.txt" });
            assert.ok(isError);
            assert.ok(text.includes(`APPROVAL_REQUIRED: linux_fs_delete: ${reason}. Nothing was decided.`), text);
            await Deno.stat(`${sandbox.root}/a.txt`);
          },
        );
      }
      await t.step("they see every line and every hidden character, and no answer is chosen for them", async () => {
        const { client, shown, forms } = await connect(face, { action: "decline" });
        await using _ = client;
        const content = `harmless\n${"tail ".repeat(4_000)}\nrm -rf x`;
        await call(client, "linux_fs_write", { path: HIDING, content });
        const [question = ""] = shown;
        assert.ok(question.includes("path: safe\\u{202e}txt.sh\\u{7}\n"), question.slice(0, 200));
        for (const line of content.split("\n")) assert.ok(question.includes(`\n  | ${line}`), line.slice(0, 20));
        assert.deepEqual(Object.keys(Object(forms[0]).properties), ["allow"]);
        assert.ok(!("default" in Object(forms[0]).properties.allow));
      });
      await t.step("a call that would fail anyway is not asked about", async () => {
        const { client, shown } = await connect(face, { action: "accept", content: { allow: true } });
        await using _ = client;
        assert.match((await call(client, "linux_fs_delete", { pth: "a.txt" })).text, /INVALID_ARGUMENT/);
        assert.deepEqual(shown, []);
      });
    });
  }
});

Deno.test("the answer to one call lets no other call through", SDK_TIMERS, async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "one\n", "b.txt": "two\n" });
  await using server = await startHttp(sandbox, { args: [...REQUIRE, ...WITHOUT_LIMITS] });
  const [, newer] = httpFaces(server);
  assert.ok(newer);
  await using client = await newer.connect({ ...CAN_ASK, inputRequired: { autoFulfill: false } });
  const ask = (params: Record<string, unknown>) =>
    client.request({ method: "tools/call", params: { name: "linux_fs_delete", ...params } }, {
      allowInputRequired: true,
    });
  const question = Object(await ask({ arguments: { path: "a.txt" } }));
  assert.equal(question.resultType, "input_required");
  const inputResponses = { approval: { action: "accept", content: { allow: true } } };
  const { requestState } = question;

  const other = Object(await ask({ arguments: { path: "b.txt" }, inputResponses, requestState }));
  assert.equal(other.resultType, "input_required");
  const forged = Object(await ask({ arguments: { path: "a.txt" }, inputResponses }));
  assert.equal(forged.resultType, "input_required");
  await assert.rejects(
    ask({ arguments: { path: "a.txt" }, inputResponses, requestState: `${requestState}x` }),
    /-32602|requestState/,
  );
  await Deno.stat(`${sandbox.root}/a.txt`);
  await Deno.stat(`${sandbox.root}/b.txt`);

  const done = Object(await ask({ arguments: { path: "a.txt" }, inputResponses, requestState }));
  assert.notEqual(done.isError, true, JSON.stringify(done));
  await assert.rejects(Deno.stat(`${sandbox.root}/a.txt`));
  await sandbox.write("a.txt", "again\n");
  const replayed = Object(await ask({ arguments: { path: "a.txt" }, inputResponses, requestState }));
  assert.equal(replayed.resultType, "input_required");
});

Deno.test("a client that cannot ask is told what to do, and learns no code", SDK_TIMERS, async (t) => {
  await using sandbox = await Sandbox.make({ "a.txt": "one\n" });
  await using server = await startHttp(sandbox, { args: [...REQUIRE, ...WITHOUT_LIMITS] });
  await t.step("over HTTP a code is wanted, which only the person can see", async () => {
    for (const face of httpFaces(server)) {
      await using client = await face.connect();
      const { text } = await call(client, "linux_fs_delete", { path: "a.txt" });
      assert.match(text, /APPROVAL_REQUIRED: linux_fs_delete: a person must allow this call/);
      const wrong = await call(client, "linux_fs_delete", { path: "a.txt", confirm: "AAAAAAAA" });
      assert.match(wrong.text, /APPROVAL_REQUIRED: .*the code is wrong/);
      assert.doesNotMatch(server.stderr(), /code:/); // nobody sits at a terminal here
      const { tools } = await client.listTools();
      const face_ = Object(tools.find(({ name }) => name === "linux_fs_delete"));
      assert.equal(face_.inputSchema.properties.confirm.type, "string");
      const readFace = Object(tools.find(({ name }) => name === "linux_fs_read"));
      assert.equal(readFace.inputSchema.properties.confirm, undefined);
    }
  });
  await t.step("over stdio nobody can be asked, so it is declined", async () => {
    for (const face of stdioFaces(sandbox, REQUIRE)) {
      await using client = await face.connect();
      const { text } = await call(client, "linux_fs_delete", { path: "a.txt" });
      assert.match(text, /APPROVAL_DECLINED: linux_fs_delete needs a person's approval, and no one can be asked/);
    }
  });
  await t.step("over REST the same code is wanted", async () => {
    const answer = await fetch(`${server.url}/tool`, {
      method: "POST",
      headers: { "X-LLMC-Token": server.token, "Content-Type": "application/json" },
      body: JSON.stringify({ session_id: "s", name: "linux_fs_delete", args: { path: "a.txt" } }),
    });
    assert.equal(answer.status, 403);
    assert.equal((await answer.json()).detail_code, "APPROVAL_REQUIRED");
  });
  await t.step("at the command line the person is the one who types", async () => {
    const args = ["tool", "linux_fs_delete", "path=a.txt", "--root", sandbox.root, ...REQUIRE];
    assert.equal((await runBinary(args, { env: sandbox.env })).code, 0);
    await assert.rejects(Deno.stat(`${sandbox.root}/a.txt`));
  });
});

Deno.test("the person at the terminal sees a code, and whoever was told it may call once", SDK_TIMERS, async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "one\n" });
  const token = `test-${crypto.randomUUID()}`;
  const command = [BINARY, "serve", "--root", sandbox.root, "--port", "0", ...REQUIRE, ...WITHOUT_LIMITS];
  // `script` gives it a terminal of its own.
  const child = new Deno.Command("script", {
    args: ["-qefc", command.map((word) => `'${word}'`).join(" "), "/dev/null"],
    clearEnv: true,
    env: { ...sandbox.env, LLMC_MCP_TOKEN: token },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let screen = "";
  const reading = (async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) screen += text;
  })();
  const onScreen = (pattern: RegExp) => eventually(() => screen.match(pattern)?.[1] ?? assert.fail(screen));
  const url = await onScreen(/listens on (http\S+)/);
  const [face] = httpFaces({ url, token });
  assert.ok(face);
  await using client = await face.connect();
  assert.match((await call(client, "linux_fs_delete", { path: "a.txt" })).text, /APPROVAL_REQUIRED/);
  const confirm = await onScreen(
    /approval wanted for linux_fs_delete \(destroy\) by [^\n]*llmc-test[^\n]*\n\s+path: a\.txt\s[^:]*: false\s+code: (\w{6})/,
  );
  assert.match((await call(client, "linux_fs_delete", { path: "b.txt", confirm })).text, /APPROVAL_REQUIRED/);
  assert.equal((await call(client, "linux_fs_delete", { path: "a.txt", confirm })).isError, false);
  await assert.rejects(Deno.stat(`${sandbox.root}/a.txt`));
  child.kill("SIGTERM");
  await child.status;
  await reading;
  // With its terminal the server goes as well.
  await eventually(async () => assert.deepEqual(await processesOf(new RegExp(sandbox.root)), []));
});
