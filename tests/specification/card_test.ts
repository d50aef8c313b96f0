/** The design card and the deployment: what the executable and its folder hold, row by row. @module */
import assert from "node:assert/strict";
import { ROOT } from "../../scripts/project.ts";
import { BINARY, runBinary, Sandbox } from "../support/binary.ts";
import { specification } from "./table.ts";

const text = (path: string) => Deno.readTextFile(`${ROOT}/${path}`);
const isFile = async (path: string) => (await Deno.stat(`${ROOT}/${path}`)).isFile;

specification("The design card", { files: { "a.txt": "alpha\n" } }, [
  ["CARD-kind", "one executable, made by deno compile", async () => {
    const magic = (await Deno.readFile(BINARY)).subarray(0, 4);
    assert.deepEqual([...magic], [0x7f, 0x45, 0x4c, 0x46]);
  }],
  ["CARD-one", "it runs from any path, alone", async ({ sandbox }) => {
    const moved = `${sandbox.dir}/elsewhere`;
    await Deno.copyFile(BINARY, moved);
    const { stdout } = await runBinary(["tool", "linux_fs_read", "path=a.txt", "--root", sandbox.root], {
      env: sandbox.env,
      binary: moved,
    });
    assert.equal(stdout, "alpha\n");
  }],
  ["CARD-pkg-std", "@std/toml, @std/path and @std/fs", async () => {
    assert.match(await text("docs/decisions/0004-npm-packages-only.md"), /@std\/toml/);
  }, "packages come from npm alone, so that one registry is enough to build; smol-toml also refuses a key given twice"],
  ["CARD-pkg-sdk", "@modelcontextprotocol/sdk", async () => {
    assert.match(await text("deno.json"), /"@modelcontextprotocol\/server"/);
  }, "its second generation has another name, and speaks the newer protocol as well"],
  ["CARD-pkg-hono", "hono and zod", async () => {
    assert.match(await text("deno.json"), /"zod"[^]*"hono"/);
  }],
  ["CARD-top", "deno.json, main.ts, llmc.toml, Makefile", async () => {
    for (const path of ["deno.json", "main.ts", "llmc.toml", "Makefile"]) assert.ok(await isFile(path), path);
  }],
  ["CARD-perm-read", "reading is scoped to the roots", async ({ run }) => {
    assert.match((await run(["doctor"])).stdout, /read .*root/);
  }, "the worker has the permissions, and the kernel enforces them; the executable's own flags could not name roots"],
  ["CARD-perm-run", "running is scoped to the list of programs", async ({ refused }) => {
    assert.equal(await refused("run_cmd", { argv: ["/usr/bin/su"] }), "COMMAND_NOT_ALLOWED");
  }, "the thread that serves may start ripgrep alone; the broker starts what the list has, inside the sandbox"],
  ["CARD-claude", "Claude Desktop starts the executable", async ({ run }) => {
    assert.ok("llmc" in JSON.parse((await run(["print-config", "claude-desktop"])).stdout).mcpServers);
  }],
  ["CARD-prebuilt", "the README says how to get a prebuilt executable", async () => {
    assert.match(await text("README.md"), /download/i);
  }],
  ["CARD-make", "verbs of the Makefile", async () => {
    const makefile = await text("Makefile");
    const missing = ["run", "test", "check", "build", "bench", "docs", "clean"].filter((verb) =>
      !new RegExp(`^${verb}:`, "m").test(makefile)
    );
    assert.deepEqual(missing, []);
  }],
  ["004-NFR5", "a Dockerfile, a compose file, and samples for a proxy", async () => {
    for (const path of ["Dockerfile", "docker-compose.yml", "deploy/nginx.conf", "deploy/Caddyfile"]) {
      assert.ok(await isFile(path), path);
    }
  }],
  ["004-13", "the image does not run as root, and wants a token", async () => {
    assert.match(await text("Dockerfile"), /^USER llmc/m);
  }],
  ["M5-12b", "deploy/Dockerfile with a tty", async () => {
    assert.doesNotMatch(await text("docker-compose.yml"), /tty: true/);
  }, "a tty would break the protocol over stdio; the Dockerfile is where docker build looks for it"],
  ["M5-12f", "the README tells of containers and of the tools", async () => {
    assert.match(await text("README.md"), /docker/i);
  }],
  ["002-X2", "DOCS/mcp_linuxops.md with a quick start", async () => {
    assert.match(await text("docs/mcp_linuxops.md"), /^#/);
  }, "the folder is in lower case, as the others"],
  ["002-X3", "the tools for a machine to read", async () => {
    assert.match(await text("docs/mcp_linuxops_tools.md"), /"name": "linux_fs_read"/);
  }],
  ["002-X5", "every key of the configuration is documented", async () => {
    const { mcp } = JSON.parse(await text("schemas/llmc.schema.json")).properties, page = await text("docs/config.md");
    const keys = Object.values<{ properties?: object }>(mcp.properties).flatMap(({ properties = {} }) =>
      Object.keys(properties)
    );
    assert.deepEqual(keys.filter((key) => !page.includes(key)), []);
  }],
  ["002-6.2", "a checklist that is kept up to date", async () => {
    assert.match(await text("CHANGELOG.md"), /^## /m);
  }, "the change log and the decisions say what is done and why; these tables say what holds"],
  ["004-13b", "logs go to standard output", async ({ run }) => {
    const { stdout, stderr } = await run(["tool", "stat", "path=a.txt", "--verbose"]);
    assert.ok(!stdout.includes('"msg"') && stderr !== "");
  }, "over stdio standard output belongs to the protocol; logs go to standard error everywhere"],
]);

Deno.test("004-13c without a token the HTTP server does not start", async () => {
  await using sandbox = await Sandbox.make();
  const { code, stderr } = await runBinary(["serve", "--root", sandbox.root, "--port", "0"], { env: sandbox.env });
  assert.deepEqual([code, /LLMC_MCP_TOKEN/.test(stderr)], [78, true], stderr);
});
