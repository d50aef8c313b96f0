/**
 * `deno task test-clean-machine [--builds]`: does what the README says in a Debian system that has make, git and npm, and
 * nothing else that helps: clone, `make build`, `make dev`, `make run`, `make test`, the release packages, `doctor`. Needs
 * root and Debian's archive, and takes as long as the tests do; with `--builds` only the builds, some minutes.
 * @module
 */
import { DebianRoot } from "../tests/packages/debian_root.ts";
import { bringSources, CLEAN_SYSTEM, TRUST } from "./clean_system.ts";
import { debianBase } from "./debian_base.ts";
import { print } from "./project.ts";
import { RELEASE_DIR } from "./release/product.ts";
import { runTool } from "./release/run_tool.ts";
import { releaseIfOld } from "./release_if_old.ts";
import { closingLine } from "./test_counts.ts";

/** Until `make run` listens: it brings Deno first. */
const RUN_LIMIT_SECONDS = 300;

interface Step {
  readonly name: string;
  run(root: DebianRoot): Promise<unknown>;
}

/** Builds, and wants the same executable as the first time and nothing beside it. */
const BUILD = `make build
  test "$(ls dist)" = "$(printf 'llmc-mcp\\npacked')" || { ls dist; exit 1; }
  sum=$(sha256sum <dist/llmc-mcp); test -e /tmp/sum || echo "$sum" >/tmp/sum; test "$sum" = "$(cat /tmp/sum)"`;

/** Every way in which bubblewrap can be there or not, by a user and by root. */
const BUILDS: readonly Step[] = [
  { name: "clone", run: (root) => root.sh("useradd -m dev && su dev -c 'git clone -q /source /home/dev/llmc-mcp'") },
  { name: "make build, without bubblewrap", run: (root) => asDev(root, BUILD) },
  {
    name: "make build, with a bubblewrap that fails",
    async run(root) {
      await root.write(
        "/usr/local/bin/bwrap",
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n",
      );
      await root.sh("chmod 755 /usr/local/bin/bwrap");
      await asDev(root, BUILD);
      await root.sh("rm /usr/local/bin/bwrap");
    },
  },
  { name: "make build in a chroot, as a user", run: (root) => inChroot(root, "dev") },
  { name: "make build in a chroot, as root", run: (root) => inChroot(root, "root") },
  {
    name: "make build, with a bubblewrap that works",
    async run(root) {
      await root.sh("apt-get update -qq && apt-get install -y -qq bubblewrap && bwrap --ro-bind / / true");
      await asDev(root, BUILD);
      await root.sh("apt-get purge -y -qq bubblewrap"); // what the next steps need they must bring
    },
  },
  {
    name: "a build that fails says why in one line, and leaves nothing behind",
    run: (root) =>
      asDev(
        root,
        `! DENORT_BIN=/nonexistent make build 2>failed.log; cat failed.log
        test "$(grep -c '^build: cannot compile: ' failed.log)" = 1
        rm failed.log; ${BUILD.slice(BUILD.indexOf("\n"))}`,
      ),
  },
];

const STEPS: readonly Step[] = [
  ...BUILDS,
  {
    name: "make dev serves from a fresh clone",
    run: (root) =>
      asDev(
        root,
        `git clone -q /source /tmp/fresh; cd /tmp/fresh; make dev PORT=0 >/tmp/dev.log 2>&1 & pid=$!
        for _ in $(seq ${RUN_LIMIT_SECONDS}); do grep -q 'listens on' /tmp/dev.log && break; sleep 1; done
        kill $pid; cat /tmp/dev.log; grep -q 'listens on http://127.0.0.1' /tmp/dev.log`,
      ),
  },
  {
    name: "make run serves, and says how to call it",
    run: (root) =>
      asDev(
        root,
        `make run PORT=0 >run.log 2>&1 & pid=$!
        for _ in $(seq ${RUN_LIMIT_SECONDS}); do grep -q 'claude mcp add' run.log && break; sleep 1; done
        kill $pid; cat run.log; grep -q 'listens on http://127.0.0.1' run.log`,
      ),
  },
  { name: "make test passes", run: (root) => root.sh(`${TRUST}; cd /home/dev/llmc-mcp && make test 2>&1`) },
  {
    name: "the executable that it built finds its sandbox",
    run: (root) => asDev(root, "dist/llmc-mcp doctor --root /home/dev/llmc-mcp"),
  },
  {
    name: "the npm package runs",
    run: (root) =>
      asDev(
        root,
        "npm install --offline --prefix /tmp/npm /release/llmc-mcp-*.tgz && /tmp/npm/node_modules/.bin/llmc-mcp doctor",
      ),
  },
  {
    name: "the Debian package installs and runs",
    run: (root) =>
      root.sh("apt-get install -y -qq /release/*_$(dpkg --print-architecture).deb && llmc-mcp doctor --root /home/dev"),
  },
];

function asDev(root: DebianRoot, lines: string): Promise<string> {
  return root.sh(`su dev -c "$(cat <<'LINES'\nset -e; ${TRUST}; cd /home/dev/llmc-mcp; ${lines}\nLINES\n)"`);
}

/** In a mere chroot there is one namespace less to be had, and what is outside stays mounted. */
async function inChroot({ dir }: DebianRoot, user: string): Promise<void> {
  const lines = `set -e; export HOME=~${user}; ${TRUST}; cd /home/dev/llmc-mcp; ${BUILD}`;
  const args = ["--mount", "sh", "-ec", ENTER_CHROOT, "sh", dir, "su", user, "-c", lines];
  const env = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" }; // nothing of this machine's
  const command = new Deno.Command("unshare", { args, stdin: "null", clearEnv: true, env });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(decoder.decode(stdout) + decoder.decode(stderr));
}

/** The mounts vanish with the command. */
const ENTER_CHROOT =
  'root=$1; shift; mount -t proc proc "$root/proc"; mount --bind /dev "$root/dev"; exec chroot "$root" "$@"';

async function main(): Promise<number> {
  const steps = Deno.args.includes("--builds") ? BUILDS : STEPS;
  if (Deno.uid() !== 0) {
    print("test-clean-machine: needs root, to make a Debian system and to mount in it");
    return 1;
  }
  if (steps === STEPS) await releaseIfOld();
  await using root = await DebianRoot.make(await debianBase("clean", CLEAN_SYSTEM));
  await bringSources(root);
  if (steps === STEPS) await runTool("cp", ["-r", RELEASE_DIR, `${root.dir}/release`]);
  let passed = 0, failed = 0;
  for (const { name, run } of steps) {
    const started = performance.now();
    const fault = await run(root).then(
      () => null,
      (error: unknown) => error instanceof Error ? error.message : String(error),
    );
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    print(`${fault === null ? "ok    " : "FAILED"} ${name} (${seconds} s)${fault === null ? "" : `\n${fault}`}`);
    if (fault === null) passed++;
    else failed++;
  }
  print(closingLine({ passed, failed, skipped: 0 }));
  return failed === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main());
