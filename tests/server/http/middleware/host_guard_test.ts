import assert from "node:assert/strict";
import { Hono } from "hono";
import { hostGuard } from "../../../../src/server/http/middleware/host_guard.ts";
import type { Env } from "../../../../src/server/http/reply.ts";

interface Guard {
  readonly host?: string;
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
}

/** The status that a request gets behind the guard, and what was counted. */
async function guarded(
  { host = "127.0.0.1", allowedHosts = [], allowedOrigins = [] }: Guard,
  headers: HeadersInit,
  url?: string,
) {
  const counted: string[] = [];
  const metrics = { authFailed: (reason: string) => void counted.push(reason) };
  const app = new Hono<Env>();
  app.use((context, next) => {
    context.set("correlationId", "c");
    return next();
  });
  app.use(hostGuard({ host, allowedHosts, allowedOrigins, metrics }));
  app.get("/x", () => new Response("in"));
  const target = url ?? `http://${new Headers(headers).get("Host")}/x`;
  return [(await app.request(target, { headers })).status, ...counted];
}

Deno.test("hostGuard: accepts the loopback names, the server's own host and the allowed ones, with any port and case", async () => {
  const guard = { host: "192.0.2.7", allowedHosts: ["Box.example"] };
  for (const host of ["127.0.0.1", "LOCALHOST:8080", "[::1]:8080", "192.0.2.7:1", "box.example", "BOX.EXAMPLE:443"]) {
    assert.deepEqual(await guarded(guard, { Host: host }), [200], host);
  }
});

Deno.test("hostGuard: refuses every other host, and one in the first line that differs from the header", async () => {
  for (
    const host of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "192.0.2.7", "evil.example:8080"]
  ) {
    assert.deepEqual(await guarded({}, { Host: host }), [403, "host"], host);
  }
  assert.deepEqual(await guarded({}, { Host: "localhost" }, "http://evil.example/x"), [403, "host"]);
});

Deno.test("hostGuard: a server on every address is called by address too, and by no other name", async () => {
  for (const host of ["0.0.0.0", "::"]) {
    for (const name of ["192.0.2.7:8080", "[2001:db8::1]:8080"]) {
      assert.deepEqual(await guarded({ host }, { Host: name }), [200], name);
    }
    assert.deepEqual(await guarded({ host }, { Host: "evil.example:8080" }), [403, "host"]);
  }
});

Deno.test("hostGuard: accepts pages of the server itself and of allowed origins, and no others", async () => {
  const Host = "localhost:8080", guard = { allowedOrigins: ["https://App.example"] };
  const accepted = ["http://localhost:8080", "https://localhost:8080", "https://app.example"];
  for (const Origin of accepted) assert.deepEqual(await guarded(guard, { Host, Origin }), [200], Origin);
  const refused = [
    "http://localhost",
    "http://localhost:8081",
    "http://127.0.0.1:8080",
    "null",
    "https://app.example:444",
  ];
  for (const Origin of refused) assert.deepEqual(await guarded(guard, { Host, Origin }), [403, "origin"], Origin);
});

Deno.test("hostGuard: without an Origin, a browser's word that the request came from another site is enough to refuse", async () => {
  const Host = "localhost:8080", asked = (site: string) => guarded({}, { Host, "Sec-Fetch-Site": site });
  for (const site of ["same-origin", "same-site", "none"]) assert.deepEqual(await asked(site), [200], site);
  assert.deepEqual(await asked("cross-site"), [403, "origin"]);
});
