/** A gate over a temporary tree, at any level of confinement. @module */
import assert from "node:assert/strict";
import { loadConfig } from "../../../src/config/load.ts";
import { type Config, resolveConfig } from "../../../src/config/resolve.ts";
import { expandSets } from "../../../src/config/program_sets.ts";
import { OpsError } from "../../../src/core/error.ts";
import type { Level } from "../../../src/sandbox/protocol.ts";
import { thisMachine } from "../../../src/sys/machine.ts";
import { type Admission, type Gate, type GateRequest, makeGate } from "../../../src/exec/policy/gate.ts";
import { makePathGuard } from "../../../src/roots/path_guard.ts";
import { tempTree } from "../../support/temp_tree.ts";

/** What a test wants of its gate. */
export interface GateOptions {
  readonly level?: Level;
  readonly confinement?: "required" | "best_effort" | "off";
  /** Allowed programs; `@spec` when absent. */
  readonly programs?: readonly string[];
  /** Added to the allowed programs. */
  readonly more?: readonly string[];
  readonly allowUnsafe?: boolean;
  /** Real paths that differ from `/usr/bin/NAME`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly missing?: readonly string[];
}

/** A gate to ask. */
export interface TestGate extends AsyncDisposable {
  readonly root: string;
  /** A directory that no root contains. */
  readonly outside: string;
  readonly gate: Gate;
  admit(request: Partial<GateRequest>): Promise<Admission>;
  /** Asserts that a request is refused with this code; returns the error. */
  refuses(request: Partial<GateRequest> | string, code?: string): Promise<OpsError>;
  /** Asserts that a command line is admitted. */
  admits(command: string): Promise<Admission>;
}

/** A gate where namespaces hold programs, but Landlock does not: there the rules about arguments refuse. */
export function strictGate(options: GateOptions = {}): Promise<TestGate> {
  return testGate({ level: "bwrap", ...options });
}

/** Makes a tree with a root and an outside, and a gate for it. */
export async function testGate(options: GateOptions = {}): Promise<TestGate> {
  const tree = await tempTree({
    "root/a.txt": "a\n",
    "root/build.sh": "ls\n",
    "root/src/b.ts": "b\n",
    "outside/secret": "s\n",
  });
  const root = tree.path("root"), outside = tree.path("outside");
  await Deno.symlink(`${outside}/secret`, `${root}/link`);
  const machine = { ...thisMachine(), env: {}, homeDir: tree.path("home"), workingDir: tree.path("home") };
  const values = {
    "mcp.data_dir": tree.path("data"),
    "mcp.tools.confinement": options.confinement ?? "required",
    "mcp.linux_ops.commands.allow_unsafe": options.allowUnsafe ?? false,
  };
  const resolved = resolveConfig(loadConfig({ overrides: { values, roots: [root] } }, machine), machine);
  const names = expandSets([...options.programs ?? ["@spec"], ...options.more ?? []]);
  const config: Config = {
    ...resolved,
    // Whatever is installed on the machine of the test, these are the allowed programs.
    binaries: Object.fromEntries(names.map((name) => [name, options.files?.[name] ?? `/usr/bin/${name}`])),
    container: "",
    missingBinaries: options.missing ?? [],
    otherBinaries: [...resolved.otherBinaries, ...Object.keys(resolved.binaries)].filter((name) =>
      !names.includes(name)
    ),
  };
  const gate = makeGate({
    config,
    paths: makePathGuard(config),
    sandbox: () => ({ level: options.level ?? "full", advice: "Install bubblewrap." }),
  });
  const admit = (request: Partial<GateRequest>) => gate.admit({ input: { kind: "nothing" }, ...request });
  return {
    root,
    outside,
    gate,
    admit,
    async refuses(request, code = "COMMAND_NOT_ALLOWED") {
      const asked = typeof request === "string" ? { command: request } : request;
      const error = await admit(asked).then(() => undefined, (reason) => reason);
      assert.ok(error instanceof OpsError, `admitted: ${JSON.stringify(asked)}${error ? ` (${error})` : ""}`);
      assert.equal(error.code, code, `${error.message} — ${JSON.stringify(asked)}`);
      assert.ok(error.message.length > 0 && error.hint.length > 0);
      return error;
    },
    admits: (command) => admit({ command }),
    [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose](),
  };
}
