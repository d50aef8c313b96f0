/** Working folder of a task: a small shop in TypeScript and Python, the same in every run. @module */

/** Numbers that look random and are the same on every run. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Folders and names of the modules; every one uses `formatMoney`. */
const MODULES = [
  "cart",
  "order",
  "invoice",
  "shipment",
  "user",
  "session",
  "address",
  "router",
  "request",
  "discount",
  "refund",
  "stock",
];

/** Writes the whole workspace. */
export async function writeWorkspace(dir: string): Promise<void> {
  const files: Record<string, string> = { ...shop(), ...python(), "logs/app.log": log(), "README.md": README };
  for (const [path, text] of Object.entries(files)) {
    const full = `${dir}/${path}`;
    await Deno.mkdir(full.slice(0, full.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(full, text);
  }
  await fillDisk(dir);
}

const README = `# Shop

A small shop. Orders come in over HTTP (src/router.ts), are priced (src/cart.ts, src/discount.ts) and billed
(src/invoice.ts). Prices are rounded by formatMoney in src/money.ts. The Python part (pricing/) computes taxes.

## Run

    node src/main.mjs
    python3 -m pytest
`;

function shop(): Record<string, string> {
  const files: Record<string, string> = {
    "src/money.ts": `/** Rounds to cents. */
export function formatMoney(value: number): number {
  return Math.round(value * 100) / 100;
}
`,
    "src/main.mjs": `import { readFileSync } from "node:fs";

function loadRates(path) {
  const text = readFileSync(path, "utf8");
  return JSON.parse(text);
}

function priceOf(order, rates) {
  const rate = rates[order.country];
  return order.net * (1 + rate.percent / 100);
}

const rates = loadRates(new URL("./rates.json", import.meta.url));
console.log(priceOf({ net: 100, country: "DE" }, rates).toFixed(2));
console.log(priceOf({ net: 50, country: "CH" }, rates).toFixed(2));
`,
    "src/rates.json": '{\n  "DE": { "percent": 19 },\n  "FR": { "percent": 20 }\n}\n',
  };
  for (const name of MODULES) files[`src/${name}.ts`] = moduleSource(name);
  for (const name of MODULES) files[`tests/${name}_test.ts`] = moduleTest(name);
  for (let i = 0; i < 40; i++) {
    files[`docs/note_${i}.md`] = `# Note ${i}\n\nWhat was decided about ${MODULES[i % MODULES.length]}.\n`;
  }
  return files;
}

function moduleSource(name: string): string {
  const type = name[0]?.toUpperCase() + name.slice(1);
  const methods = ["load", "save", "total", "merge", "validate"].map((verb, i) =>
    `  /** ${verb} of one ${name}. */
  ${verb}(key: string): number {
    const value = this.#items.get(key) ?? ${i};
    if (value > this.limit) throw new Error(\`${name} \${key} over limit\`);
    this.#items.set(key, value + ${i + 1});
    return formatMoney(value);
  }
`
  );
  return `import { formatMoney } from "./money.ts";

/** A ${name} of the shop. */
export class ${type} {
  #items = new Map<string, number>();

  constructor(readonly id: string, readonly limit = ${100 + name.length}) {}

${methods.join("\n")}}
`;
}

function moduleTest(name: string): string {
  const type = name[0]?.toUpperCase() + name.slice(1);
  return `import { ${type} } from "../src/${name}.ts";
import { formatMoney } from "../src/money.ts";

Deno.test("${name} totals are rounded", () => {
  const total = new ${type}("x").total("a");
  if (total !== formatMoney(total)) throw new Error("not rounded");
});
`;
}

function python(): Record<string, string> {
  const cases = Array.from(
    { length: 60 },
    (_, i) => `def test_gross_${i}():\n    assert gross(${i}) == round(${i} * 1.19, 2)\n`,
  );
  return {
    "pricing/__init__.py": "",
    "pricing/tax.py": `"""Taxes."""

RATES = {"standard": 0.19, "reduced": 0.07}


def gross(net, kind="standard"):
    return round(net * (1 + RATES[kind]), 2)


def split(total, parts):
    """Divides a total into parts that add up to it."""
    share = round(total / parts, 2)
    return [share for _ in range(parts)]


def discount(net, percent):
    return round(net * (1 - percent / 100), 2)
`,
    "pricing/test_tax.py": `from pricing.tax import discount, gross, split\n\n\n${cases.join("\n\n")}\n
def test_split_adds_up():
    assert round(sum(split(100, 3)), 2) == 100


def test_discount():
    assert discount(200, 10) == 180
`,
  };
}

/** 6,000 lines, one error with its trace, a few warnings. */
function log(): string {
  const random = makeRandom(3);
  const lines: string[] = [];
  let time = Date.UTC(2026, 4, 6, 8, 0, 0);
  for (let i = 0; i < 6_000; i++) {
    time += Math.floor(random() * 1_500);
    const stamp = new Date(time).toISOString();
    if (i === 4_321) {
      lines.push(
        `${stamp} ERROR [worker-3] payment failed for order 88123: card declined`,
        "Traceback (most recent call last):",
        '  File "/srv/shop/pay.py", line 88, in charge',
        "    gateway.post(order)",
        '  File "/srv/shop/gateway.py", line 31, in post',
        "    raise CardDeclined(code)",
        "shop.errors.CardDeclined: code 51",
      );
    } else if (i % 1_000 === 700) {
      lines.push(`${stamp} WARN [pool] queue length ${50 + Math.floor(random() * 50)} above 50`);
    } else if (i % 3 === 0) lines.push(`${stamp} INFO [health] ping ok in ${1 + Math.floor(random() * 9)} ms`);
    else {lines.push(
        `${stamp} INFO [worker-${i % 4}] order ${10_000 + Math.floor(random() * 80_000)} processed in ${
          Math.floor(random() * 400)
        } ms`,
      );}
  }
  return lines.join("\n") + "\n";
}

/** Folders of different weight; one file is most of it. */
async function fillDisk(dir: string): Promise<void> {
  const random = makeRandom(9);
  for (let i = 0; i < 120; i++) {
    const folder = `${dir}/var/cache/part_${i % 30}`;
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeFile(`${folder}/blob_${i}.bin`, new Uint8Array(1_000 + Math.floor(random() * 40_000)));
  }
  await Deno.writeFile(`${dir}/var/cache/part_17/old_backup.tar`, new Uint8Array(30_000_000));
}
