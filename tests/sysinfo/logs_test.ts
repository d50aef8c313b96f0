import assert from "node:assert/strict";
import { settingsSchema } from "../../src/config/schema.ts";
import { OpsError } from "../../src/core/error.ts";
import { makeLogFacts } from "../../src/sysinfo/logs.ts";
import { makeServiceFacts } from "../../src/sysinfo/services.ts";
import type { LogQuery } from "../../src/sysinfo/machine_facts.ts";

const config = {
  settings: settingsSchema.parse({}),
  roots: [],
  unconfined: false,
  dataDir: "/nonexistent",
  homeDir: "/nonexistent",
  configFile: null,
  binaries: {},
  container: "",
  missingBinaries: [],
  protectedPaths: [],
  secretPaths: [],
  operatorPaths: [],
  origins: {},
  warnings: [],
};
const ALL: LogQuery = { unit: null, sinceSeconds: null, maxPriority: null, maxEntries: 10 };

Deno.test("logs refuses every value that could be read as something else", async () => {
  const bad: Partial<LogQuery>[] = [
    { unit: "--file=/etc/shadow" },
    { unit: "a b" },
    { unit: "*" },
    { unit: "" },
    { unit: "x\n--no-tail" },
    { sinceSeconds: -1 },
    { sinceSeconds: 1.5 },
    { sinceSeconds: Number.NaN },
    { maxPriority: 8 },
    { maxEntries: 10_001 },
    { maxEntries: Infinity },
  ];
  for (const part of bad) {
    await assert.rejects(
      makeLogFacts(config).logs({ ...ALL, ...part }),
      (error: unknown) => error instanceof OpsError && error.code === "INVALID_ARGUMENT",
      JSON.stringify(part),
    );
  }
});

Deno.test("logs answers within its bounds, or says why there is no log", async () => {
  const { source, text, reason } = await makeLogFacts(config).logs({ ...ALL, unit: "ssh.service", maxPriority: 3 });
  if (source === null) assert.ok(reason.length > 0 && text === "");
  else assert.match(source, /^journal$|^\/var\/log\//);
});

Deno.test("services lists units where systemd runs, and elsewhere names what runs instead", async () => {
  const { source, text, reason } = await makeServiceFacts(config).services();
  if (source === "systemd") assert.match(text, /\.service +loaded/);
  else assert.match(reason, /^systemd does not run here; process 1 is '.+'$|^systemctl/);
});
