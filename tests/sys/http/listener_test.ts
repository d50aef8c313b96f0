import type { ListenOptions } from "../../../src/sys/http/connection_pool.ts";
import assert from "node:assert/strict";
import { listen, type Listener } from "../../../src/sys/http/listener.ts";
import { eventually } from "../../support/eventually.ts";

function open(options: Partial<ListenOptions> = {}): Listener & { readonly trouble: string[] } {
  const trouble: string[] = [];
  const listener = listen({
    hostname: "127.0.0.1",
    port: 0,
    tls: null,
    maxConnections: 100,
    idleTimeoutMs: 60_000,
    now: () => performance.now(),
    handle: () => new Response("hello"),
    onError: () => new Response("sorry", { status: 500 }),
    onPeerFault: (detail) => trouble.push(detail),
    onAcceptFault: (detail) => trouble.push(detail),
    ...options,
  });
  return { ...listener, trouble };
}

function dial({ url }: Listener): Promise<Deno.TcpConn> {
  const { hostname, port } = new URL(url);
  return Deno.connect({ hostname, port: Number(port) });
}

/** A clock that stands still unless the test moves it; a listener looks at it whenever it looks for who is idle. */
function makeClock() {
  let nowMs = 0, looks = 0;
  return {
    now() {
      looks++;
      return nowMs;
    },
    /** Moves on, until the listener must have looked for who is idle. */
    async advance(ms: number): Promise<void> {
      nowMs += ms;
      const end = looks + 2;
      await eventually(() => assert.ok(looks >= end));
    },
  };
}

/** What comes until the other end closes. */
async function rest(connection: Deno.Conn): Promise<string> {
  return await new Response(connection.readable).text().catch(() => "");
}

const encoder = new TextEncoder();

Deno.test("listen: cuts a connection that sends nothing, and one whose headers never end", async () => {
  const { now, advance } = makeClock();
  const listener = open({ idleTimeoutMs: 100, now });
  const silent = await dial(listener), slow = await dial(listener);
  await slow.write(encoder.encode("GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "));
  await eventually(() => assert.equal(listener.connections(), 2));
  await advance(101);
  assert.deepEqual(await Promise.all([rest(silent), rest(slow)]), ["", ""]);
  await eventually(() => assert.equal(listener.connections(), 0));
  await listener.close(100);
});

Deno.test("listen: does not cut a connection whose request takes longer than the idle time", async () => {
  const { now, advance } = makeClock();
  const listener = open({
    idleTimeoutMs: 100,
    now,
    async handle() {
      await advance(400);
      return new Response("late");
    },
  });
  assert.equal(await (await fetch(listener.url)).text(), "late");
  await listener.close(100);
});

Deno.test("listen: a stream that somebody asked the end of is not idle while it is open", async () => {
  let ended = false;
  const { now, advance } = makeClock();
  const listener = open({
    idleTimeoutMs: 100,
    now,
    handle(_request, peer) {
      void peer.completed.then(() => ended = true);
      let left = 8;
      return new Response(
        new ReadableStream({
          async pull(controller) {
            await advance(50);
            if (left-- > 0) controller.enqueue(encoder.encode("x"));
            else controller.close();
          },
        }),
      );
    },
  });
  assert.equal(await (await fetch(listener.url)).text(), "xxxxxxxx");
  await eventually(() => assert.equal(ended, true));
  assert.equal(listener.inFlight(), 0);
  await listener.close(100);
});

Deno.test("listen: one connection too many takes the place of the one that is idle longest", async () => {
  const listener = open({ maxConnections: 3 });
  const held = [await dial(listener), await dial(listener), await dial(listener)];
  const ends = held.map(rest);
  assert.equal(await (await fetch(listener.url)).text(), "hello");
  assert.equal(await Promise.race(ends.map((end, index) => end.then(() => index))), 0);
  assert.ok(listener.connections() <= 3);
  await listener.close(100);
  await Promise.all(ends);
});

Deno.test("listen: what is no HTTP is reported and answered with 400", async () => {
  const listener = open();
  const connection = await dial(listener);
  await connection.write(encoder.encode("hello there\r\n\r\n"));
  assert.match(await rest(connection), /^HTTP\/1\.1 400/);
  await eventually(() => assert.equal(listener.trouble.length, 1));
  await listener.close(100);
});

Deno.test("listen: closing answers what is in flight, then cuts what does not end", async () => {
  const quick = Promise.withResolvers<void>(), started = Promise.withResolvers<void>();
  let seen = 0;
  const listener = open({
    async handle(request) {
      if (++seen === 2) started.resolve();
      await (request.url.endsWith("/quick") ? quick.promise : new Promise(() => {}));
      return new Response("in time");
    },
  });
  const answers = ["/quick", "/never"].map((path) =>
    fetch(listener.url + path).then((answer) => answer.text(), () => "cut")
  );
  await started.promise;
  const closed = listener.close(150);
  quick.resolve();
  assert.deepEqual(await Promise.all(answers), ["in time", "cut"]);
  await closed;
  await assert.rejects(dial(listener));
});
