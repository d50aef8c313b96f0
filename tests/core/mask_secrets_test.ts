import assert from "node:assert/strict";
import { maskCommandLine, maskSecrets } from "../../src/core/mask_secrets.ts";

const SECRET = "hunter2-Zx81";

for (
  const argv of [
    ["app", `--password=${SECRET}`],
    ["app", "--password", SECRET],
    ["app", `--db-password=${SECRET}`],
    ["app", "--api-key", SECRET],
    ["app", `token=${SECRET}`],
    ["app", `-Dspring.datasource.password=${SECRET}`],
    ["env", `PGPASSWORD=${SECRET}`, "psql"],
    ["env", `AWS_SECRET_ACCESS_KEY=${SECRET}`, "aws"],
    ["mysql", `-p${SECRET}`, "-u", "root"],
    ["psql", `postgres://bob:${SECRET}@db.example/app`],
    ["curl", "-H", `Authorization: Bearer ${SECRET}`, "https://x.example"],
    ["curl", `https://x.example/?access_token=${SECRET}&page=2`],
    ["curl", "-d", `{"secret": "${SECRET}"}`],
    ["sh", "-c", `app --token=${SECRET}; app`],
    ["sh", "-c", `app --token ${SECRET}; app`],
  ]
) {
  Deno.test(`a secret is masked in: ${argv.join(" ").replace(SECRET, "…")}`, () => {
    const shown = maskCommandLine(argv);
    assert.ok(!shown.includes(SECRET), shown);
    assert.ok(shown.includes("***"), shown);
  });
}

Deno.test("keys that are known by their look are masked", () => {
  for (const key of [`ghp_${"a1B2".repeat(9)}`, `AKIA${"ABCD".repeat(4)}`, `sk-${"x9".repeat(12)}`]) {
    assert.ok(!maskSecrets(`run ${key} now`).includes(key));
  }
});

Deno.test("ordinary command lines are shown as they are", () => {
  for (const line of ["node server.js --port=8080", "git log --format=%h", "tokenize --passes 3 in.txt", "ls -p src"]) {
    assert.equal(maskCommandLine(line.split(" ")), line);
  }
});

Deno.test("line breaks and control characters cannot forge rows", () => {
  assert.equal(maskCommandLine(["a\nb", "c\x1b[31m"]), "a b c [31m");
});

Deno.test("maskSecrets comes to an end for long texts that look like the beginning of a secret again and again", () => {
  for (const unit of ["-", "eyJ-", "token-", "pass", "a.", "://:", "--password "]) {
    const text = unit.repeat(120_000 / unit.length);
    assert.equal(typeof maskSecrets(text), "string", unit);
  }
});
