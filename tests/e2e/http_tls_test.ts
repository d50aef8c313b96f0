/** HTTPS with certificate files, over HTTP/1.1 and HTTP/2. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox, startHttp } from "../support/binary.ts";
import { makeCertificate, tlsOptions } from "../support/certificate.ts";

Deno.test("serve speaks HTTPS with the configured certificate, over HTTP/1.1 and HTTP/2", async (t) => {
  await using sandbox = await Sandbox.make({ "a.txt": "hello\n" });
  const { certFile, keyFile, cert } = await makeCertificate(sandbox.dir);
  await using server = await startHttp(sandbox, { args: tlsOptions(certFile, keyFile) });
  assert.match(server.url, /^https:/);
  for (const [name, options] of Object.entries({ "HTTP/1.1": { http2: false }, "HTTP/2": { http1: false } })) {
    await t.step(name, async () => {
      using client = Deno.createHttpClient({ caCerts: [cert], ...options });
      const answer = await fetch(`${server.url}/tool`, {
        client,
        method: "POST",
        headers: { Authorization: `Bearer ${server.token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ session_id: "s", name: "read_file", args: { path: "a.txt" } }),
      });
      assert.equal((await answer.json()).data, "hello\n");
      const foreign = await fetch(`${server.url}/health`, { client, headers: { Origin: "https://evil.example" } });
      assert.equal(foreign.status, 403);
      await foreign.body?.cancel();
      const own = await fetch(`${server.url}/health`, { client, headers: { Origin: server.url } });
      assert.equal(own.status, 200);
      await own.body?.cancel();
    });
  }
  await t.step("plain HTTP to it is refused, and it goes on", async () => {
    await assert.rejects(fetch(server.url.replace("https:", "http:") + "/health"));
    using client = Deno.createHttpClient({ caCerts: [cert] });
    const answer = await fetch(`${server.url}/health`, { client });
    assert.deepEqual(Object.keys(await answer.json()), ["ok", "version"]);
  });
});

Deno.test("serve says which certificate file it cannot use", async () => {
  await using sandbox = await Sandbox.make();
  const env = { ...sandbox.env, LLMC_MCP_TOKEN: "0123456789abcdef0123" };
  const args = ["serve", "--root", sandbox.root, "--port", "0"];
  const missing = await runBinary([...args, ...tlsOptions("/nonexistent/cert.pem", "/nonexistent/key.pem")], { env });
  assert.equal(missing.code, 78, missing.stderr);
  assert.match(missing.stderr, /\/nonexistent\/cert\.pem/);
  const broken = `${sandbox.dir}/broken.pem`;
  await Deno.writeTextFile(broken, "no certificate");
  const unusable = await runBinary([...args, ...tlsOptions(broken, broken)], { env });
  assert.notEqual(unusable.code, 0);
  assert.match(unusable.stderr, /certificate|PEM|key/i);
});
