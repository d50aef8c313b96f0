/**
 * `deno task test-clean-machine [builds] [tests] [uses]`: does what the README says in a Debian system that has make, git and
 * npm, and nothing else that helps. `builds` builds with and without bubblewrap, `tests` runs all tests in five environments
 * (an hour), `uses` starts `make dev`, `make run` and the release packages; `tests:chroot` takes only the steps of a part that
 * name a chroot. Needs root and Debian's archive.
 * @module
 */
import { DebianRoot } from "../tests/packages/debian_root.ts";
import { bringSources, CHECKOUT, CLEAN_SYSTEM, TRUST } from "./clean_system.ts";
import { debianBase } from "./debian_base.ts";
import { print } from "./project.ts";
import { RELEASE_DIR } from "./release/product.ts";
import { runTool } from "./release/run_tool.ts";
import { releaseIfOld } from "./release_if_old.ts";
import { CLOSING_LINE, closingLine } from "./test_counts.ts";

/** Until `make run` listens: it brings Deno first. */
const RUN_LIMIT_SECONDS = 300;

interface Step {
  readonly name: string;
  /** Returns what it printed. @throws Error with what it printed when it fails */
  run(root: DebianRoot): Promise<string>;
}

const PURGE_BUBBLEWRAP = "apt-get purge -y -qq bubblewrap";

/** Builds, and wants the same executable as the first time and nothing beside it. */
const BUILD = `make build
  test "$(ls dist)" = "$(printf 'llmc-mcp\\npacked')" || { ls dist; exit 1; }
  sum=$(sha256sum <dist/llmc-mcp); test -e /tmp/sum || echo "$sum" >/tmp/sum; test "$sum" = "$(cat /tmp/sum)"`;

/** Every way in which bubblewrap can be there or not, by a user and by root. */
const BUILDS: readonly Step[] = [
  { name: "make build, without bubblewrap", run: (root) => asDev(root, BUILD) },
  {
    name: "make build, with a bubblewrap that fails",
    run: (root) => withFailingBubblewrap(root, BUILD),
  },
  { name: "make build in a chroot, as a user", run: (root) => inChroot(root, "dev", BUILD) },
  { name: "make build in a chroot, as root", run: (root) => inChroot(root, "root", BUILD) },
  {
    name: "make build, with a bubblewrap that works",
    async run(root) {
      await root.sh("apt-get update -qq && apt-get install -y -qq bubblewrap && bwrap --ro-bind / / true");
      await asDev(root, BUILD);
      return await root.sh(PURGE_BUBBLEWRAP); // what the next steps need they must bring
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

/** What no test can do without; a user who lacks it is told. */
const NEEDED = "apt-get update -qq && apt-get install -y -qq --no-install-recommends openssl procps python3";
const TEST = "make test 2>&1";

/** Every environment in which all tests pass; what they miss there they leave out, and say so. */
const TESTS: readonly Step[] = [
  test("make test as a user, without bubblewrap", (root) => asDev(root, TEST)),
  test("make test in a chroot, as a user", (root) => inChroot(root, "dev", TEST)),
  test("make test as a user, with a bubblewrap that fails", (root) => withFailingBubblewrap(root, TEST)),
  test(
    "make test as root in a closed home, with all that it installs",
    (root) => root.sh(`${TRUST}; git clone -q /source /root/llmc-mcp; cd /root/llmc-mcp; ${TEST}`),
  ),
  test("make test in a chroot, as root", (root) => inChroot(root, "root", TEST)),
];

function test(name: string, run: Step["run"]): Step {
  return {
    name,
    async run(root) {
      await root.sh(NEEDED);
      return await run(root);
    },
  };
}

const USES: readonly Step[] = [
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
  {
    name: "the executable that it built finds its sandbox",
    run: (root) => asDev(root, "make build && dist/llmc-mcp doctor --root ."),
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
      root.sh(
        `apt-get install -y -qq /release/*_$(dpkg --print-architecture).deb && llmc-mcp doctor --root ${CHECKOUT}`,
      ),
  },
];

function asDev(root: DebianRoot, lines: string): Promise<string> {
  return root.sh(`su dev -c "$(cat <<'LINES'\nset -e; ${TRUST}; cd ${CHECKOUT}; ${lines}\nLINES\n)"`);
}

/** As where the kernel forbids what bubblewrap does. */
async function withFailingBubblewrap(root: DebianRoot, lines: string): Promise<string> {
  const path = "/usr/local/bin/bwrap";
  await root.write(path, "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n");
  await root.sh(`chmod 755 ${path}`);
  try {
    return await asDev(root, lines);
  } finally {
    await root.sh(`rm ${path}`);
  }
}

/** In a mere chroot there is one namespace less to be had, and what is outside stays mounted. */
async function inChroot({ dir }: DebianRoot, user: string, lines: string): Promise<string> {
  const all = `set -e; export HOME=~${user}; ${TRUST}; cd ${CHECKOUT}; ${lines}`;
  const args = ["--mount", "sh", "-ec", ENTER_CHROOT, "sh", dir, "su", user, "-c", all];
  const env = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" }; // nothing of this machine's
  const command = new Deno.Command("unshare", { args, stdin: "null", clearEnv: true, env });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(decoder.decode(stdout) + decoder.decode(stderr));
  return decoder.decode(stdout);
}

/** The mounts vanish with the command. */
const ENTER_CHROOT =
  'root=$1; shift; mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"; exec chroot "$root" "$@"';

const PARTS: Readonly<Record<string, readonly Step[]>> = { builds: BUILDS, tests: TESTS, uses: USES };

/** @param choice A part, or a part and a text that its steps' names contain: `tests:chroot`. */
function stepsOf(choice: string): readonly Step[] {
  const [part = "", text = ""] = choice.split(/:(.*)/);
  return (PARTS[part] ?? []).filter(({ name }) => name.includes(text));
}

async function main(chosen: readonly string[]): Promise<number> {
  const asked = chosen.length === 0 ? Object.keys(PARTS) : chosen;
  const unknown = asked.find((choice) => stepsOf(choice).length === 0);
  if (unknown !== undefined) {
    print(`test-clean-machine: ${unknown} is not a part, or names none of its steps; parts: ${Object.keys(PARTS)}`);
    return 2;
  }
  if (Deno.uid() !== 0) {
    print("test-clean-machine: needs root, to make a Debian system and to mount in it");
    return 1;
  }
  const uses = asked.some((choice) => choice.startsWith("uses"));
  if (uses) await releaseIfOld();
  await using root = await DebianRoot.make(await debianBase("clean", CLEAN_SYSTEM));
  await bringSources(root);
  if (uses) await runTool("cp", ["-r", RELEASE_DIR, `${root.dir}/release`]);
  await root.sh(`useradd -m dev && install -d -o dev ${CHECKOUT} && su dev -c 'git clone -q /source ${CHECKOUT}'`);
  let passed = 0, failed = 0;
  for (const { name, run } of asked.flatMap(stepsOf)) {
    const started = performance.now();
    const { counts = "", fault } = await run(root).then(
      (printed) => ({ counts: printed.match(CLOSING_LINE)?.[0], fault: undefined }),
      (error: unknown) => ({ counts: undefined, fault: error instanceof Error ? error.message : String(error) }),
    );
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    print(`${fault === undefined ? "ok    " : "FAILED"} ${name} (${seconds} s) ${fault ?? counts}`.trimEnd());
    if (fault === undefined) passed++;
    else failed++;
  }
  print(closingLine({ passed, failed, skipped: 0 }));
  return failed === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
