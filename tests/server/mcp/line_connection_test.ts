import assert from "node:assert/strict";
import { type LineConnection, openLineConnection } from "../../../src/server/mcp/line_connection.ts";
import { holdTimers } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";

/** A connection whose other end is this test. */
function connect(write: (text: string) => Promise<void> = () => Promise.resolve()) {
  const messages: unknown[] = [], written: string[] = [], trouble: string[] = [];
  const ended = Promise.withResolvers<void>();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({}, { highWaterMark: 1 });
  const input = writable.getWriter();
  const connection: LineConnection = openLineConnection({
    input: readable,
    async write(bytes) {
      const text = new TextDecoder().decode(bytes);
      await write(text);
      written.push(text);
    },
  }, {
    onMessage: (message) => messages.push(message),
    onTrouble: (detail) => trouble.push(detail),
    onEnd: ended.resolve,
    isLarge: (method) => method === "large",
  });
  const send = (text: string) => input.write(new TextEncoder().encode(text));
  return { connection, input, send, messages, written, trouble, ended: ended.promise };
}

Deno.test("messages of a batch arrive one by one", async () => {
  const { send, input, messages, ended } = connect();
  await send('[{"method":"a"},{"method":"b"}]\n{"method":"c"}\n');
  await input.close();
  await ended;
  assert.deepEqual(messages, [{ method: "a" }, { method: "b" }, { method: "c" }]);
});

Deno.test("messages are written in the order in which they were sent", async () => {
  const { connection, written, input, ended } = connect(() => new Promise((resolve) => setTimeout(resolve, 1)));
  await Promise.all(Array.from({ length: 20 }, (_, at) => connection.send({ at })));
  assert.deepEqual(written, Array.from({ length: 20 }, (_, at) => `{"at":${at}}\n`));
  await input.close();
  await ended;
});

Deno.test("a reader that does not read is not read from, until it does", async () => {
  const { promise: reading, resolve: read } = Promise.withResolvers<void>();
  const { connection, send, input, messages, ended } = connect(() => reading);
  const sent = Array.from({ length: 5 }, () => connection.send({ pad: "x".repeat(1024 * 1024) }));
  await send('{"method":"first"}\n');
  const second = send('{"method":"second"}\n');
  await new Promise((resolve) => setTimeout(resolve, 20)); // that nothing happens has no event
  assert.deepEqual(messages, [{ method: "first" }]);
  read();
  await Promise.all([...sent, second]);
  await input.close();
  await ended;
  assert.equal(messages.length, 2);
});

Deno.test("at the end of input an answer that comes soon is still written", async () => {
  const { connection, send, input, messages, written, ended } = connect();
  await send('{"id":1,"method":"slow"}\n');
  await input.close();
  assert.equal(messages.length, 1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await connection.send({ id: 1, result: {} });
  await ended;
  assert.deepEqual(written, ['{"id":1,"result":{}}\n']);
});

/** Of the turns for which last answers are waited for, and how many of them there are: 300 ms in all. */
const TURN_MS = 50, TURNS = 6;

Deno.test("at the end of input an answer that does not come is waited for a short time", async () => {
  using turns = holdTimers(TURN_MS);
  const { connection, send, input, ended } = connect();
  await send('{"id":1,"method":"for ever"}\n');
  await input.close();
  let isOver = false;
  ended.then(() => isOver = true);
  for (let turn = 0; turn < TURNS; turn++) {
    assert.ok(!isOver, `${turn} turns`);
    await turns.goOff();
  }
  await ended;
  await assert.rejects(connection.send({ id: 1, result: {} }), /closed/);
});

Deno.test("a cancelled request is not waited for", async () => {
  using _turns = holdTimers(TURN_MS); // none of which comes
  const { send, input, ended } = connect();
  await send('{"id":1,"method":"slow"}\n{"method":"notifications/cancelled","params":{"requestId":1}}\n');
  await input.close();
  await ended;
});

Deno.test("an output that is closed ends the connection", async () => {
  const { connection, ended, input } = connect(() => Promise.reject(new Error("broken pipe")));
  await assert.rejects(connection.send({ id: 1, result: {} }), /broken pipe/);
  await ended;
  await input.close();
});

Deno.test("at most 32 large answers are made at a time, and everything else passes by", async () => {
  const { connection, send, input, messages, ended } = connect();
  const large = Array.from({ length: 40 }, (_, id) => `{"id":${id},"method":"large"}\n`).join("");
  await send(`${large}{"id":"p","method":"ping"}\n{"method":"notifications/cancelled","params":{"requestId":33}}\n`);
  await eventually(() => assert.equal(messages.length, 33));
  assert.deepEqual(messages.at(-1), { id: "p", method: "ping" });
  for (let id = 0; id < 32; id++) await connection.send({ id, result: {} });
  assert.equal(messages.length, 40); // the one that was cancelled while it waited was never begun
  assert.ok(!messages.some((message) => Object(message).id === 33));
  await input.close();
  await ended;
});

Deno.test("no large answer is begun while much waits for the reader", async () => {
  const { promise: reading, resolve: read } = Promise.withResolvers<void>();
  const { connection, send, input, messages, ended } = connect(() => reading);
  await send('{"id":1,"method":"large"}\n');
  const sent = connection.send({ id: 1, result: "x".repeat(5 * 1024 * 1024) });
  void send('{"id":2,"method":"large"}\n');
  await new Promise((resolve) => setTimeout(resolve, 20)); // that nothing happens has no event
  assert.equal(messages.length, 1);
  read();
  await sent;
  await eventually(() => assert.equal(messages.length, 2));
  await connection.send({ id: 2, result: {} });
  await input.close();
  await ended;
});

Deno.test("a message whose id can be in no answer takes the place of no other", async () => {
  const { send, input, messages, ended } = connect();
  const ids = ["{}", "[1]", "true", "null"];
  for (let count = 0; count < 40; count++) {
    for (const id of ids) await send(`{"method":"large","id":${id},"count":${count}}\n`);
  }
  await send('{"method":"large","id":"after"}\n');
  await eventually(() => assert.equal(messages.length, 40 * ids.length + 1));
  await input.close();
  await ended;
  assert.deepEqual(messages.at(-1), { method: "large", id: "after" });
});
