/** The systemd service in a booted system: its hardening must leave the sandbox whole. @module */
import assert from "node:assert/strict";
import { DebianRoot } from "./debian_root.ts";
import { needing, program } from "../support/needs.ts";
import { output, PACKAGES, released } from "./released.ts";

/** Half a second each. */
const BOOT_ATTEMPTS = 120;
const SHUTDOWN_LIMIT_MS = 20_000;

/** A system that runs, and commands in it. */
class Booted implements AsyncDisposable {
  #process: Deno.ChildProcess;

  private constructor(readonly init: number, process: Deno.ChildProcess) {
    this.#process = process;
  }

  static async boot(root: DebianRoot): Promise<Booted> {
    const process = new Deno.Command("systemd-nspawn", {
      args: ["-q", "--register=no", "--keep-unit", "--private-network", "--console=pipe", "-D", root.dir, "-b"],
      // The filter of this program is older than Landlock and refuses it.
      env: { SYSTEMD_SECCOMP: "0" },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    for (let attempt = 0; attempt < BOOT_ATTEMPTS; attempt++) {
      const children = await output("pgrep", ["-P", String(process.pid)]).catch(() => "");
      const booted = new Booted(Number(children.split("\n")[0]), process);
      if (booted.init > 0 && /running|degraded/.test(await booted.#state())) return booted;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    process.kill("SIGKILL");
    throw new Error("the system did not start");
  }

  /** "running" once everything was started; empty while nobody can be asked. */
  #state(): Promise<string> {
    return this.sh("systemctl is-system-running || true").catch(() => "");
  }

  /** Runs lines of shell in the system. @throws Error when one fails */
  sh(lines: string): Promise<string> {
    return output("nsenter", ["-t", String(this.init), "-m", "-u", "-i", "-n", "-p", "sh", "-ec", lines]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sh("systemctl poweroff").catch(() => {}); // it takes the ground from under its own answer
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), SHUTDOWN_LIMIT_MS);
    await this.#process.status;
    clearTimeout(timer);
  }
}

const name = "the service runs confined at the full level, reloads, and stops";

Deno.test({ ...needing(name, ...["systemd-nspawn", "nsenter", "pgrep"].map(program)), fn: checkService });

async function checkService(t: Deno.TestContext): Promise<void> {
  await using root = await DebianRoot.make();
  await root.bring(released("deb"), `/tmp/${PACKAGES.deb}`);
  await root.sh(`apt-get update -qq && apt-get install -y -qq /tmp/${PACKAGES.deb} >/dev/null 2>&1`);
  await root.sh("install -d -o llmc-mcp /srv/code && echo hello >/srv/code/a.txt");
  await root.sh(`sed -i 's|^# allowed_roots.*|allowed_roots = ["/srv/code"]|' /etc/llmc/llmc.toml`);

  await t.step("systemd finds nothing to object to in the unit", async () => {
    const { stdout, stderr } = await root.run(["systemd-analyze", "verify", "llmc-mcp.service"]);
    // The bare system has no program for manual pages.
    assert.equal((stdout + stderr).replace(/^.*Command 'man .*\n/gm, ""), "");
  });

  await using system = await Booted.boot(root);
  const curl = (path: string, more = "") =>
    system.sh(`. /etc/llmc/token.env; curl -sS --retry 20 --retry-delay 1 --retry-connrefused \\
      -H "X-LLMC-Token: $LLMC_MCP_TOKEN" ${more} http://127.0.0.1:8080${path}`);

  await t.step("it is not started by itself, and starts when asked", async () => {
    assert.match(await system.sh("systemctl is-enabled llmc-mcp || true"), /disabled/);
    await system.sh("systemctl enable --now llmc-mcp");
    const health = JSON.parse(await curl("/health"));
    assert.equal(health.sandbox.level, "full", JSON.stringify(health));
    assert.equal(health.sandbox.root, false);
  });

  await t.step("programs run in bubblewrap and see the roots", async () => {
    const body = JSON.stringify({ session_id: "s", name: "run_cmd", args: { command: "cat /srv/code/a.txt" } });
    const { data } = JSON.parse(await curl("/tool", `-H "Content-Type: application/json" -d '${body}'`));
    assert.equal(data.stdout, "hello\n");
    assert.equal(data.confinement, "bwrap");
  });

  await t.step("the token is nowhere in the journal, nor in what the process shows of its environment", async () => {
    await system.sh(`. /etc/llmc/token.env; ! journalctl -u llmc-mcp | grep -F "$LLMC_MCP_TOKEN"
      ! grep -aF "$LLMC_MCP_TOKEN" /proc/"$(systemctl show -p MainPID --value llmc-mcp)"/environ`);
  });

  await t.step("it takes a changed configuration over without a restart", async () => {
    const pid = await system.sh("systemctl show -p MainPID --value llmc-mcp");
    await system.sh("printf '[mcp.limits]\\nrate_limit_rps = 77\\n' >>/etc/llmc/llmc.toml; systemctl reload llmc-mcp");
    assert.equal(await system.sh("systemctl show -p MainPID --value llmc-mcp"), pid);
    assert.match(await system.sh("sleep 1; journalctl -u llmc-mcp -o cat"), /rate_limit_rps/);
  });

  await t.step("a wrong configuration stops it for good instead of in a loop", async () => {
    await system.sh("echo 'nonsense = 1' >>/etc/llmc/llmc.toml; systemctl restart llmc-mcp || true; sleep 4");
    assert.match(await system.sh("systemctl show -p NRestarts,ExecMainStatus llmc-mcp"), /NRestarts=0\n|NRestarts=0$/);
    assert.match(await system.sh("systemctl show -p ExecMainStatus llmc-mcp"), /=78/);
  });

  await t.step("removing the package stops and disables it", async () => {
    await system.sh(
      "sed -i '$d' /etc/llmc/llmc.toml; systemctl start llmc-mcp; apt-get remove -y -qq llmc-mcp >/dev/null 2>&1",
    );
    assert.match(await system.sh("systemctl is-active llmc-mcp || true"), /inactive|unknown/);
  });
}
