/** An external program of the operator in place of the built-in Tool Envelope. @module */
import assert from "node:assert/strict";
import { type TeResult, teResult } from "../../../src/tools/te/te_result.ts";
import { makeTestApp } from "../../support/app.ts";

/** Runs one command with an external te that is this script. */
async function runWith(
  script: string,
  settings: Record<string, unknown>,
  args: Record<string, unknown>,
): Promise<TeResult> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ dir: "/var/tmp", prefix: "llmc-te-" }));
  try {
    const path = `${folder}/te`;
    await Deno.writeTextFile(path, script);
    await Deno.chmod(path, 0o755);
    await Deno.chmod(folder, 0o755);
    await using app = await makeTestApp({
      files: { "a.txt": "hello\n" },
      settings: { "mcp.te.script_path": path, "mcp.tools.confinement": "off", ...settings },
    });
    return teResult().parse(await app.result("te_run", args));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const REPLY = `#!/bin/sh
[ "$1" = "--json" ] && shift
[ "$1" = "--" ] && shift
out=$("$@"); code=$?
printf '{"success":true,"mode":"enriched","stdout":"lean: %s","stderr":"","exit_code":%d,"enrichment":{"match_count":3,"truncated":false}}' "$out" $code
`;

Deno.test("script_path: its JSON is the answer", async () => {
  const result = await runWith(REPLY, {}, { command: "cat a.txt" });
  assert.equal(result.stdout, "lean: hello");
  assert.equal(result.mode, "enriched");
  assert.equal(result.enrichment.match_count, 3);
  assert.equal(result.exit_code, 0);
});

Deno.test("script_path: what it wraps goes through the gate", async () => {
  await assert.rejects(runWith(REPLY, {}, { command: "sudo id" }), /COMMAND_NOT_ALLOWED/);
});

Deno.test("script_path: output that is no answer is passed through", async () => {
  const result = await runWith("#!/bin/sh\necho plain text\n", {}, { command: "cat a.txt" });
  assert.equal(result.stdout, "plain text\n");
  assert.equal(result.mode, "passthrough");
});

Deno.test("script_path: when it breaks before it answers, the plain command runs, unless that is switched off", async () => {
  const broken = "#!/bin/sh\necho broken >&2\nexit 3\n";
  assert.equal((await runWith(broken, {}, { command: "cat a.txt" })).stdout, "hello\n");
  const strict = await runWith(broken, { "mcp.te.passthrough_on_failure": false }, { command: "cat a.txt" });
  assert.equal(strict.stdout, "");
  assert.equal(strict.exit_code, 3);
  assert.equal(strict.success, false);
});

Deno.test("script_path: raw output does not pass through it", async () => {
  assert.equal((await runWith(REPLY, {}, { command: "cat a.txt", raw: true })).stdout, "hello\n");
});
