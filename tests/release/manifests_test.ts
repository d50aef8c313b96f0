/** Files that other programs read: manifests, service, compose file, workflows. @module */
import { validateManifest } from "@anthropic-ai/mcpb";
import assert from "node:assert/strict";
import { parse } from "yaml";
import * as z from "zod";
import { ROOT } from "../../scripts/project.ts";
import { manifest } from "../../scripts/release/mcpb.ts";
import { makeServerJson } from "../../scripts/release/server_json.ts";
import { VERSION } from "../../src/core/version.ts";
import { tempTree } from "../support/temp_tree.ts";

const read = (path: string) => Deno.readTextFile(`${ROOT}/${path}`);

Deno.test("the bundle's manifest passes the official tool, and passes each folder as a word of its own", async () => {
  const made = await manifest();
  await using tree = await tempTree({ "manifest.json": JSON.stringify(made), "icon.png": "" });
  await Deno.copyFile(`${ROOT}/packaging/icon.png`, tree.path("icon.png"));
  assert.ok(validateManifest(tree.path("manifest.json")));
  const { server } = z.object({ server: z.object({ mcp_config: z.object({ args: z.array(z.string()) }) }) }).parse(
    made,
  );
  // Only an argument that is nothing but the variable becomes as many words as there are folders.
  assert.deepEqual(server.mcp_config.args, ["stdio", "${user_config.roots}"]);
});

/** What the MCP registry asks of a server, as far as ours says it. */
const serverJson = z.object({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z.string().min(3).max(200).regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.literal(VERSION),
  repository: z.object({ url: z.url(), source: z.literal("github") }),
  packages: z.array(z.object({
    registryType: z.literal("mcpb"),
    identifier: z.url({ protocol: /^https$/ }).includes("mcp"),
    version: z.literal(VERSION),
    fileSha256: z.string().regex(/^[a-f0-9]{64}$/),
    transport: z.object({ type: z.literal("stdio") }),
    packageArguments: z.array(
      z.object({ type: z.literal("positional"), value: z.string().optional(), valueHint: z.string().optional() })
        .loose().refine(({ value, valueHint }) => value !== undefined || valueHint !== undefined),
    ),
  })).min(1),
});

Deno.test("server.json is what the registry takes, of this version, and names the place that was told", async () => {
  await using tree = await tempTree({ "llmc-mcp.mcpb": "a bundle" });
  const place = { owner: "someone", name: "hands", url: "https://github.com/someone/hands" };
  const path = await makeServerJson(place, [tree.path("llmc-mcp.mcpb")], tree.root);
  const { name, packages, repository } = serverJson.parse(JSON.parse(await Deno.readTextFile(path)));
  assert.equal(name, "io.github.someone/llmc-mcp");
  assert.equal(repository.url, place.url);
  assert.equal(packages[0]?.identifier, `${place.url}/releases/download/v${VERSION}/llmc-mcp.mcpb`);
});

Deno.test("a release that is to be published ends at once when it is not known where", async () => {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "scripts/release.ts", "--publish"],
    cwd: ROOT,
    env: { GITHUB_REPOSITORY: "" },
  }).output();
  assert.equal(code, 1);
  assert.match(new TextDecoder().decode(stdout), /^release: cannot be published: set GITHUB_REPOSITORY=owner\/name/);
});

Deno.test("the service does not ask for what would break bubblewrap", async () => {
  const unit = await read("packaging/deb/llmc-mcp.service");
  const breaking = "RestrictNamespaces ProtectHostname ProtectKernelTunables ProtectKernelLogs ProtectProc ProcSubset";
  for (const name of [...breaking.split(" "), "MemoryDenyWriteExecute", "PrivateUsers"]) {
    assert.doesNotMatch(unit, new RegExp(`^${name}=`, "m"), name);
  }
  for (const name of ["NoNewPrivileges", "CapabilityBoundingSet", "ProtectSystem", "SystemCallFilter"]) {
    assert.match(unit, new RegExp(`^${name}=`, "m"), name);
  }
});

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

Deno.test("workflows are YAML, have few rights, call verbs that exist and pin their actions by commit", async () => {
  const makefile = await read("Makefile");
  for await (const { name } of Deno.readDir(`${ROOT}/.github/workflows`)) {
    const text = await read(`.github/workflows/${name}`);
    const workflow = parse(text);
    assert.deepEqual(workflow.permissions, { contents: "read" }, name);
    const verbs = Object.values<{ strategy?: { matrix?: { verb?: string[] } } }>(workflow.jobs)
      .flatMap(({ strategy }) => strategy?.matrix?.verb ?? []);
    for (const [, verb = ""] of text.matchAll(/\bmake (?:-C \S+ )?([a-z][a-z-]*)/g)) verbs.push(verb);
    for (const verb of verbs) assert.match(makefile, new RegExp(`^${verb}:`, "m"), `${name}: make ${verb}`);
    for (const { uses } of stepsOf(workflow)) {
      if (uses) assert.match(uses, /^actions\/[\w-]+@[0-9a-f]{40}$/, `${name}: ${uses}`);
    }
    for (const [line] of text.matchAll(/^.*uses:.*$/gm)) assert.match(line, / # v\d+\.\d+\.\d+$/, `${name}: ${line}`);
  }
});

Deno.test("workflows that start the server allow what bubblewrap needs and install programs before", async () => {
  for (const name of ["release.yml", "scheduled.yml", "test.yml"]) {
    const { jobs } = parse(await read(`.github/workflows/${name}`));
    for (const [id, job] of Object.entries<{ steps: Step[] }>(jobs)) {
      const runs = job.steps.flatMap(({ run }) => run ?? []);
      const at = (pattern: RegExp) => runs.findIndex((run) => pattern.test(run));
      const first = at(/\bmake (?!check)/);
      for (const needed of [/apparmor_restrict_unprivileged_userns=0/, /scripts\/deps\.sh/]) {
        assert.ok(at(needed) >= 0 && at(needed) < first, `${name}, ${id}: ${needed}`);
      }
    }
  }
});

function stepsOf({ jobs }: { jobs: Record<string, { steps: Step[] }> }): Step[] {
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

Deno.test("dependabot looks after packages, actions and the image", async () => {
  const { version, updates } = parse(await read(".github/dependabot.yml"));
  assert.equal(version, 2);
  const kinds = updates.map((update: { "package-ecosystem": string }) => update["package-ecosystem"]);
  assert.deepEqual(kinds, ["deno", "github-actions", "docker"]);
});
