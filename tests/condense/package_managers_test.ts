/** Output of package managers is not a report of tests or diagnostics: what is left out is counted, nothing else. @module */
import assert from "node:assert/strict";
import { boundPlain } from "../../src/core/bound_lines.ts";
import { enrich } from "../../src/condense/enrich.ts";
import { makeRandom } from "../support/random.ts";
import { BUDGET_TOKENS, range, word } from "./property.ts";

type Manager = (name: () => string, count: number) => string[];

/** What each prints for so many packages. */
const MANAGERS: Readonly<Record<string, Manager>> = {
  "npm install": (name, count) => [
    ...range(count).map((n) => `npm warn deprecated ${name()}@1.${n}.0: 3 errors failed in 2 tests, use ${name()}`),
    "",
    `added ${count} packages, and audited ${count + 1} packages in 3s`,
    "12 packages are looking for funding",
    "3 vulnerabilities (1 low, 2 high)",
  ],
  "pnpm install": (name, count) => [
    `Packages: +${count}`,
    "+".repeat(40),
    ...range(count).map((n) => `+ ${name()} 1.${n}.0 (2.0.0 is available)`),
    "Done in 1.2s",
  ],
  "yarn install": (name, count) => [
    ...range(count).map((n) => `warning ${name()}@1.${n}.0: this package is not maintained`),
    `success Saved ${count} new dependencies.`,
  ],
  "pip install -r requirements.txt": (name, count) => [
    ...range(count).map((n) => `Collecting ${name()}==1.${n}`),
    ...range(count).map((n) => `  Downloading ${name()}-1.${n}-py3-none-any.whl (12 kB)`),
    `Successfully installed ${range(count).map((n) => `${name()}-1.${n}`).join(" ")}`,
  ],
  "cargo fetch": (name, count) => [
    "    Updating crates.io index",
    ...range(count).map((n) => ` Downloaded ${name()} v1.${n}.0`),
    ` Downloaded ${count} crates (1.2 MB) in 0.50s`,
  ],
  "go mod download -x": (name, count) => range(count).map((n) => `go: downloading example.org/${name()} v1.${n}.0`),
  "apt-get install -y x": (name, count) => [
    ...range(count).map((n) => `Get:${n} http://deb.example ${name()} all 1.${n} [12 kB]`),
    ...range(count).map(() => `Setting up ${name()} ...`),
    `0 upgraded, ${count} newly installed, 0 to remove and 0 not upgraded.`,
  ],
};

for (const [command, print] of Object.entries(MANAGERS)) {
  Deno.test(`counts: ${command}: lines shown and left out make all, and no other count is stated`, () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = makeRandom(seed), lines = print(() => word(random), 1 + random.below(300));
      const stdout = lines.map((line) => `${line}\n`).join("");
      const input = { argv: command.split(" "), stdout, stderr: "", exitCode: 0, budgetTokens: BUDGET_TOKENS };
      assert.equal(enrich(input), null, `seed ${seed}: taken for a report`);
      const { text } = boundPlain(stdout, BUDGET_TOKENS);
      const shown = text.replace(/\n$/, "").split("\n").filter((line) => !line.startsWith("[…"));
      const [, hidden = "0", said = String(lines.length)] = /\[… (\d+) of (\d+) lines/.exec(text) ?? [];
      assert.deepEqual([shown.length + Number(hidden), Number(said)], [lines.length, lines.length], `seed ${seed}`);
    }
  });
}
