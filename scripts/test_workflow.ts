/**
 * `deno task test-workflow [STEP…]`: runs the commands of the release workflow in a Debian system, in their order, as a user
 * who may use sudo. Steps that need GitHub or the host's kernel are left out and named. Needs root and Debian's archive.
 * @module
 */
import { parse } from "yaml";
import { DebianRoot } from "../tests/packages/debian_root.ts";
import { VERSION } from "../src/core/version.ts";
import { bringSources, CHECKOUT, CLEAN_SYSTEM, TRUST } from "./clean_system.ts";
import { debianBase } from "./debian_base.ts";
import { print, ROOT } from "./project.ts";
import { closingLine } from "./test_counts.ts";

const WORKFLOW = ".github/workflows/release.yml";

/** Steps that cannot run here, by what they are called, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "Allow what bubblewrap needs": "a setting of the host's kernel",
  "The runtime is the one whose hash is pinned": "compares a download from Deno's own site",
  "Every package works where its users are": "makes Debian systems itself: make test-packages",
  "Publish the release": "publishes",
  "Publish the npm package": "publishes",
};

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}

/** What GitHub sets, for a tag of the version in the sources. */
const ENVIRONMENT = `export GITHUB_REF_NAME=v${VERSION} GITHUB_REPOSITORY=someone/llmc-mcp RUNNER_TEMP=/tmp/runner
export DENO_DIR=${CHECKOUT}/.deno/cache; mkdir -p $RUNNER_TEMP; cd ${CHECKOUT}`;

/** A clone in which the version is about to be released, and a user who may do everything. */
const PREPARE = `apt-get update -qq && apt-get install -y -qq sudo >/dev/null
useradd -m dev && echo 'dev ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/dev
install -d -o dev ${CHECKOUT}
su dev -c 'git clone -q /source ${CHECKOUT} && cd ${CHECKOUT} && git config --global user.email dev@localhost &&
  git config --global user.name dev && sed -i "s/^## .Unreleased.*/## [${VERSION}]/" CHANGELOG.md &&
  git commit -qam "Release ${VERSION}"'`;

async function main(chosen: readonly string[]): Promise<number> {
  if (Deno.uid() !== 0) {
    print("test-workflow: needs root, to make a Debian system and to mount in it");
    return 1;
  }
  await using root = await DebianRoot.make(await debianBase("clean", CLEAN_SYSTEM));
  await bringSources(root);
  await root.sh(PREPARE);
  let passed = 0, failed = 0, skipped = 0;
  for (const step of await stepsOfWorkflow()) {
    const name = step.name ?? step.run ?? step.uses ?? "";
    const why = step.run === undefined ? "an action of GitHub" : LEFT_OUT[name];
    if (why !== undefined || (chosen.length > 0 && !chosen.includes(name))) {
      print(`left out ${name}: ${why ?? "not chosen"}`);
      skipped++;
      continue;
    }
    const started = performance.now();
    const lines = `${TRUST}\n${ENVIRONMENT}\n${step.run}`;
    const { code, stdout, stderr } = await root.run(["su", "dev", "-c", 'exec bash -eo pipefail -c "$0"', lines]);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    print(`${code === 0 ? "ok      " : "FAILED  "} ${name} (${seconds} s)${code === 0 ? "" : `\n${stdout}${stderr}`}`);
    if (code === 0) passed++;
    else failed++;
    if (code !== 0) break; // as the workflow does
  }
  print(closingLine({ passed, failed, skipped }));
  return failed === 0 && passed > 0 ? 0 : 1;
}

async function stepsOfWorkflow(): Promise<Step[]> {
  const { jobs } = parse(await Deno.readTextFile(`${ROOT}/${WORKFLOW}`));
  return Object.values<{ steps: Step[] }>(jobs).flatMap(({ steps }) => steps);
}

if (import.meta.main) Deno.exit(await main(Deno.args));
