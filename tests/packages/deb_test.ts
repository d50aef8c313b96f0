/** The Debian package in a bare system: installed, used as an ordinary user, upgraded, removed. @module */
import assert from "node:assert/strict";
import { overCommand } from "../support/clients.ts";
import { DebianRoot } from "./debian_root.ts";
import { PACKAGES, released } from "./released.ts";

// The SDK's stdio client leaves a timer of two seconds behind when it closes.
const options = { sanitizeOps: false, sanitizeResources: false };

Deno.test("the Debian package works in a bare system", options, async (t) => {
  await using root = await DebianRoot.make();
  const file = `/tmp/${PACKAGES.deb}`;
  await root.bring(released("deb"), file);
  const install = `apt-get install -y -qq --reinstall ${file} >/dev/null 2>&1`;
  await root.sh(`apt-get update -qq && ${install} && useradd -m dev`);

  await t.step("it brings what it recommends and leaves every file as it was packed", async () => {
    await root.sh("for name in bwrap rg git; do command -v $name; done");
    assert.equal(await root.sh("dpkg --verify llmc-mcp"), "");
  });

  await t.step("doctor finds the full sandbox for an ordinary user", async () => {
    const { code, stdout, stderr } = await root.run(["llmc-mcp", "doctor", "--root", "/home/dev", "--json"], "dev");
    assert.equal(code, 0, stdout + stderr);
    const report = JSON.parse(stdout);
    assert.equal(report.level, "full", stdout);
    assert.equal(report.root, false);
  });

  await t.step("a tool works in the root that was named and nowhere else", async () => {
    const tool = (...args: string[]) => root.run(["llmc-mcp", "tool", "--root", "/home/dev", ...args], "dev");
    const written = await tool("linux_fs_write", "path=a.txt", "content=hello");
    assert.equal(written.code, 0, written.stderr);
    assert.match((await tool("linux_fs_read", "path=a.txt")).stdout, /hello/);
    assert.match((await tool("linux_fs_read", "path=/etc/passwd")).stderr, /INVALID_PATH/);
    const ran = await tool("run_cmd", "command=cat a.txt");
    assert.match(ran.stdout, /hello/);
  });

  for (const endpoint of overCommand({ ...root.invocation(["llmc-mcp", "stdio", "/home/dev"], "dev"), env: {} })) {
    await t.step({
      name: `a client works over ${endpoint.label}`,
      ...options,
      async fn() {
        await using client = await endpoint.connect();
        assert.ok((await client.listTools()).length > 20);
        assert.match((await client.call("linux_fs_list", { path: "." })).text, /a\.txt/);
        assert.match((await client.call("run_cmd", { command: "git --version" })).text, /git version 2/);
      },
    });
  }

  await t.step("its configuration is right, and its token is new and closed to others", async () => {
    assert.equal((await root.run(["llmc-mcp", "config", "check", "--config", "/etc/llmc/llmc.toml"])).code, 0);
    assert.match(await root.sh("stat -c %a:%U /etc/llmc/token.env"), /^600:root$/m);
    assert.match(await root.sh("cat /etc/llmc/token.env"), /^LLMC_MCP_TOKEN=[\w-]{32}$/m);
    assert.match(await root.sh("getent passwd llmc-mcp"), /:\/var\/lib\/llmc-mcp:\/usr\/sbin\/nologin$/m);
  });

  await t.step("installing it again keeps token and configuration", async () => {
    const before = await root.sh("echo '# mine' >>/etc/llmc/llmc.toml; cat /etc/llmc/token.env /etc/llmc/llmc.toml");
    await root.sh(install);
    assert.equal(await root.sh("cat /etc/llmc/token.env /etc/llmc/llmc.toml"), before);
  });

  await t.step("removing it keeps the configuration, purging it leaves nothing", async () => {
    await root.sh(
      "apt-get remove -y -qq llmc-mcp >/dev/null 2>&1 && test -e /etc/llmc/token.env && ! test -e /usr/bin/llmc-mcp",
    );
    await root.sh("mkdir -p /var/lib/llmc-mcp && apt-get purge -y -qq llmc-mcp >/dev/null 2>&1");
    assert.equal((await root.run(["ls", "/etc/llmc", "/var/lib/llmc-mcp", "/usr/share/doc/llmc-mcp"])).stdout, "");
  });
});
