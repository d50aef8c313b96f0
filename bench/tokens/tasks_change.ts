/** Tasks that change files. @module */
import { desktopSearch, missing, run, type Task } from "./task.ts";

const BROKEN_SPLIT = `    share = round(total / parts, 2)
    return [share for _ in range(parts)]`;
const WHOLE_SPLIT = `    share = round(total / parts, 2)
    return [share] * (parts - 1) + [round(total - share * (parts - 1), 2)]`;

const UNITTEST = "python3 -m unittest";

/** The workspace's tests, in the form that every Python has. */
async function writeUnittests(dir: string): Promise<void> {
  const cases = Array.from(
    { length: 60 },
    (_, i) => `    def test_gross_${i}(self):\n        self.assertEqual(gross(${i}), round(${i} * 1.19, 2))\n`,
  );
  const text = `import unittest

from pricing.tax import discount, gross, split


class Taxes(unittest.TestCase):
${cases.join("\n")}
    def test_split_adds_up(self):
        self.assertEqual(round(sum(split(100, 3)), 2), 100)

    def test_discount(self):
        self.assertEqual(discount(200, 10), 180)
`;
  await Deno.writeTextFile(`${dir}/test_tax.py`, text);
}

const fixTest: Task = {
  name: "find and fix a failing test",
  prepare: ({ dir }) => writeUnittests(dir),
  async desktopCommander(session, { dir }) {
    await session.call("start_process", { command: `cd ${dir} && ${UNITTEST}`, timeout_ms: 30_000 });
    await session.call("read_file", { path: `${dir}/pricing/tax.py` });
    await session.call("edit_block", {
      file_path: `${dir}/pricing/tax.py`,
      old_string: BROKEN_SPLIT,
      new_string: WHOLE_SPLIT,
    });
    await session.call("start_process", { command: `cd ${dir} && ${UNITTEST}`, timeout_ms: 30_000 });
  },
  async ours(session) {
    await session.call("run_cmd", { command: UNITTEST });
    await session.call("linux_fs_read", { path: "pricing/tax.py" });
    await session.call("linux_fs_patch_block", {
      path: "pricing/tax.py",
      old_text: BROKEN_SPLIT,
      new_text: WHOLE_SPLIT,
    });
    await session.call("run_cmd", { command: UNITTEST });
  },
  async faults({ dir }, seen) {
    const { code, text } = await run(dir, "python3", "-m", "unittest");
    const wrong = code === 0 ? [] : [`tests still fail: ${text.slice(-200)}`];
    return [
      ...wrong,
      ...missing(seen, /test_split_adds_up/, /AssertionError: 99\.99 != 100/, /share = round/, /\bOK\b/),
    ];
  },
};

const RENAME = `sed -i 's/\\bformatMoney\\b/roundMoney/g' src/*.ts tests/*.ts README.md`;

const rename: Task = {
  name: "rename a symbol in many files",
  async desktopCommander(session, { dir }) {
    await desktopSearch(session, { path: dir, pattern: ".*formatMoney.*", searchType: "content", contextLines: 0 });
    await session.call("start_process", { command: `cd ${dir} && ${RENAME}`, timeout_ms: 10_000 });
    await session.call("start_process", {
      command: `cd ${dir} && grep -rnw formatMoney . ; grep -rlw roundMoney . | wc -l`,
      timeout_ms: 10_000,
    });
  },
  async ours(session) {
    await session.call("linux_search_content", { pattern: "formatMoney", literal: true });
    await session.call("run_cmd", { command: RENAME });
    await session.call("run_cmd", { command: "grep -rnw formatMoney . ; grep -rlw roundMoney . | wc -l" });
  },
  async faults({ dir }, seen) {
    const left = await run(dir, "grep", "-rlw", "formatMoney", "src", "tests", "README.md");
    const done = await run(dir, "grep", "-rlw", "roundMoney", "src", "tests", "README.md");
    const files = done.text.trim().split("\n").length;
    return [
      ...left.text === "" ? [] : [`still there in ${left.text}`],
      ...files === 26 ? [] : [`${files} files instead of 26`],
      ...missing(
        seen,
        /src\/money\.ts/,
        /export function formatMoney/,
        /src\/cart\.ts/,
        /tests\/refund_test\.ts/,
        /\b26\b/,
      ),
    ];
  },
};

const PATCH = `--- a/src/money.ts
+++ b/src/money.ts
@@ -1,4 +1,5 @@
-/** Rounds to cents. */
+/** Rounds to cents, halves away from zero. */
 export function formatMoney(value: number): number {
-  return Math.round(value * 100) / 100;
+  const sign = value < 0 ? -1 : 1;
+  return sign * Math.round(Math.abs(value) * 100) / 100;
 }
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -3,3 +3,3 @@
-/** A cart of the shop. */
+/** A cart of the shop: what a user is about to order. */
 export class Cart {
   #items = new Map<string, number>();
--- a/src/order.ts
+++ b/src/order.ts
@@ -3,3 +3,3 @@
-/** A order of the shop. */
+/** An order of the shop. */
 export class Order {
   #items = new Map<string, number>();
`;

const applyPatch: Task = {
  name: "apply a patch to three files",
  async desktopCommander(session, { dir }) {
    await session.call("write_file", { path: `${dir}/change.patch`, content: PATCH, mode: "rewrite" });
    await session.call("start_process", {
      command: `cd ${dir} && patch -p1 < change.patch && rm change.patch`,
      timeout_ms: 10_000,
    });
  },
  async ours(session) {
    await session.call("linux_fs_apply_diff", { diff_text: PATCH });
  },
  async faults({ dir }) {
    const money = await Deno.readTextFile(`${dir}/src/money.ts`);
    const cart = await Deno.readTextFile(`${dir}/src/cart.ts`);
    const order = await Deno.readTextFile(`${dir}/src/order.ts`);
    const whole = money.includes("halves away") && money.includes("sign * Math.round") &&
      cart.includes("about to order") && order.includes("/** An order");
    return whole ? [] : ["the patch is not in the files"];
  },
};

const BROKEN_C = `#include <stdio.h>
#include "stock.h"

int total(struct item *items, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++) sum += items[i].amont;
  return sum;
}

int main(void) {
  struct item items[] = {{"pen", 3}, {"ink", 4}};
  printf("%d\\n", total(items, 2));
  return 0;
}
`;

const fixBuild: Task = {
  name: "fix a build that does not compile",
  async prepare({ dir }) {
    const unused = Array.from({ length: 12 }, (_, i) => `static int helper_${i}(int a) { int b; return a; }`).join(
      "\n",
    );
    await Deno.writeTextFile(`${dir}/stock.h`, `struct item { const char *name; int amount; };\n${unused}\n`);
    await Deno.writeTextFile(`${dir}/stock.c`, BROKEN_C);
    await Deno.writeTextFile(`${dir}/Makefile`, "stock: stock.c stock.h\n\tcc -Wall -Wextra -o stock stock.c\n");
  },
  async desktopCommander(session, { dir }) {
    await session.call("start_process", { command: `cd ${dir} && make`, timeout_ms: 30_000 });
    await session.call("edit_block", {
      file_path: `${dir}/stock.c`,
      old_string: "items[i].amont",
      new_string: "items[i].amount",
    });
    await session.call("start_process", { command: `cd ${dir} && make && ./stock`, timeout_ms: 30_000 });
  },
  async ours(session) {
    await session.call("run_cmd", { command: "make" });
    await session.call("linux_fs_patch_block", {
      path: "stock.c",
      old_text: "items[i].amont",
      new_text: "items[i].amount",
    });
    await session.call("run_cmd", { command: "make" });
  },
  async faults({ dir }, seen) {
    const { text } = await run(dir, `${dir}/stock`).catch(() => ({ text: "not built" }));
    return [...text.trim() === "7" ? [] : [`it prints ${text}`], ...missing(seen, /stock\.c:6:\d+: error: .*amont/)];
  },
};

/** Tasks that change files. */
export const CHANGING_TASKS: readonly Task[] = [fixTest, rename, applyPatch, fixBuild];
