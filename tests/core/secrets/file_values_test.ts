import assert from "node:assert/strict";
import { isSecretFile, readFileValues } from "../../../src/core/secrets/file_values.ts";

Deno.test("isSecretFile knows files that hold secrets, and not the examples beside them", () => {
  for (const name of [".env", ".env.local", "prod.env", ".npmrc", ".netrc", "id_rsa", "server.key", "x.tfvars"]) {
    assert.ok(isSecretFile(name), name);
  }
  for (const name of [".env.example", "sample.env.template", "env.ts", "environment", "keys.ts", "a.pem.dist"]) {
    assert.ok(!isSecretFile(name), name);
  }
});

Deno.test("readFileValues reads values that are secret, and leaves settings alone", () => {
  const text = [
    "# database",
    "export DB_PASSWORD='hunter2-Zx81'",
    "DATABASE_URL=postgres://app:Tr0ub4dor@db.example/app",
    'SESSION_SECRET="a very long pass phrase" # changed in May',
    "OPAQUE=q9Zk3LmX71pTgY5vWb2n",
    "PORT=3000",
    "DEBUG=true",
    "NODE_ENV=development",
    "API_KEY=<your key>",
    "PUBLIC_URL=https://www.example.org/a/long/path",
    "POSTGRES_PASSWORD=postgres",
  ].join("\n");
  const found = Object.fromEntries(readFileValues(text).map(({ name, value, isCommon }) => [name, [value, isCommon]]));
  assert.deepEqual(found, {
    DATABASE_URL: ["Tr0ub4dor", false],
    DB_PASSWORD: ["hunter2-Zx81", false],
    SESSION_SECRET: ["a very long pass phrase", false],
    OPAQUE: ["q9Zk3LmX71pTgY5vWb2n", false],
    POSTGRES_PASSWORD: ["postgres", true],
  });
});
