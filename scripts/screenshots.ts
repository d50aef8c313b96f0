/**
 * Takes the screenshots of the operator's page in docs/images, from a server with an hour of generated activity.
 *
 * `deno run -A scripts/screenshots.ts`, after `deno task build`; needs Chromium.
 *
 * @module
 */
import { type BrowserContextOptions, chromium } from "playwright-core";
import { makeCallLog } from "../src/store/call_log.ts";
import { type HttpServer, runBinary, Sandbox, startHttp } from "../tests/support/binary.ts";
import { callTool } from "../tests/support/call_tool.ts";
import { CHROMIUM, CHROMIUM_ARGS } from "../tests/support/browser.ts";
import { openStore } from "../tests/store/support.ts";
import { print, ROOT } from "./project.ts";

const IMAGES = `${ROOT}/docs/images`;

/** One picture: which page, how it looks, how much of it. */
interface Picture {
  readonly name: string;
  readonly path: string;
  readonly options: BrowserContextOptions;
  /** What is clicked before. */
  readonly click?: string;
  /** What has appeared then. */
  readonly waitsFor?: string;
}

const DESK = { width: 1360, height: 1500 }, PHONE = { width: 390, height: 844 };
const PICTURES: readonly Picture[] = [
  { name: "ui-activity-light", path: "/ui", options: { viewport: DESK, colorScheme: "light" } },
  { name: "ui-activity-dark", path: "/ui", options: { viewport: DESK, colorScheme: "dark" } },
  { name: "ui-sandbox", path: "/ui/sandbox", options: { viewport: { ...DESK, height: 1120 }, colorScheme: "light" } },
  {
    name: "ui-configuration",
    path: "/ui/config",
    options: { viewport: { ...DESK, height: 760 }, colorScheme: "dark" },
    click: "#changed-only",
  },
  {
    name: "ui-call",
    path: "/ui",
    options: { viewport: { ...DESK, height: 900 }, colorScheme: "light" },
    click: "#calls tr:has-text('grep -rn TODO') a.name",
    waitsFor: "dialog .handles",
  },
  { name: "ui-phone", path: "/ui", options: { viewport: PHONE, colorScheme: "light", isMobile: true } },
];

const FILES = {
  "README.md": "# Billing\n\nInvoices, and who has paid them.\n",
  "src/invoice.py": "class Invoice:\n    # TODO: currencies\n    def total(self):\n        return sum(self.lines)\n",
  "src/payment.py": "def settle(invoice):\n    # TODO: partial payments\n    return invoice.total()\n",
  "src/report.py": Array.from({ length: 400 }, (_, line) => `def row_${line}(): return ${line}  # TODO`).join("\n"),
  "tests/test_invoice.py": "def test_total():\n    assert 1 + 1 == 2\n",
  "notes/old.md": "to be deleted\n",
};

/** Calls of the hour before, more of them in waves. */
const TOOLS: readonly (readonly [tool: string, durationMs: number, share: number])[] = [
  ["linux_fs_read", 1.1, 0.4],
  ["linux_search_content", 14, 0.2],
  ["run_cmd", 60, 0.16],
  ["linux_fs_patch_block", 2.4, 0.1],
  ["linux_fs_list", 2.2, 0.08],
  ["rag_search", 31, 0.06],
];

/** The same pictures at every run. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

async function inventHistory(box: Sandbox): Promise<void> {
  await runBinary(["tool", "linux_fs_list", "path=.", "--root", box.root], { env: box.env });
  using store = openStore({ dataDir: await box.storeDir() });
  const log = makeCallLog({ database: store.database, retentionDays: 0, now: Date.now, warn: print });
  const random = makeRandom(42), nowMs = Date.now();
  for (let minute = 58; minute > 1; minute--) {
    const wave = Math.max(0, Math.sin(minute / 5.5)) * 34 + Math.max(0, Math.sin(minute / 2.1)) * 9;
    for (let count = Math.floor(wave * (0.6 + 0.8 * random())); count > 0; count--) {
      let pick = random();
      const [tool, durationMs] = TOOLS.find(([, , share]) => (pick -= share) < 0) ?? ["linux_fs_stat", 0.4];
      const failed = random() < 0.05;
      log.record({
        timeMs: nowMs - minute * 60_000 + random() * 60_000,
        tool,
        owner: "demo",
        agentId: "claude-code",
        sessionId: "demo",
        model: "demo",
        argsSummary: "",
        status: failed ? "error" : "ok",
        errorCode: failed ? "NOT_FOUND" : null,
        durationMs: durationMs * (0.5 + random() * random() * 6),
        tokensIn: 30,
        tokensOut: 200,
        truncated: false,
        bytesOut: 700,
        correlationId: crypto.randomUUID(),
      });
    }
  }
}

/** What an agent does in a minute. */
async function work(server: HttpServer): Promise<void> {
  const agent = { "X-LLMC-Agent": "claude-code" }, other = { "X-LLMC-Agent": "cursor" };
  const call = (name: string, args: Record<string, unknown>, by = agent) => callTool(server, name, args, by);
  const counting =
    "import time\nfor i in range(10**6):\n  print('GET /invoices', 200 + i % 2 * 104, f'{3 + i % 7} ms'); time.sleep(0.1)";
  await call("linux_proc_start", { argv: ["python3", "-u", "-c", counting], wait_ms: 0 });
  await call("linux_proc_start", { argv: ["bash", "-i"], pty: true }, other);
  await call("linux_fs_read", { path: "README.md" });
  await call("linux_fs_list", { path: ".", depth: 2 });
  await call("linux_search_content", { root: ".", pattern: "TODO" });
  await call("run_cmd", { command: "grep -rn TODO src" });
  await call("linux_fs_read", { path: "src/report.py" });
  await call("linux_fs_read", { path: "/etc/shadow" }, other);
  await call("run_cmd", { command: "curl https://example.org/install.sh" }, other);
  await call("linux_fs_patch_block", {
    path: "src/payment.py",
    old_text: "# TODO: partial payments",
    new_text: "# part",
  });
  await call("run_cmd", { command: "bash -c 'python3 -m unittest discover -s tests; exit 1'" });
  await call("linux_search_files", { root: ".", pattern: "invoice" }, other);
  await call("linux_fs_read", { path: "src/invoice.py" });
  await call("linux_fs_delete", { path: "notes", recursive: true });
}

async function takePicture(
  { url, token }: HttpServer,
  { name, path, options, click, waitsFor }: Picture,
): Promise<void> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...CHROMIUM_ARGS] });
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(`${url}${path}`);
  await page.getByLabel("Token").fill(token);
  await page.keyboard.press("Enter");
  await page.locator("#token").waitFor({ state: "hidden" });
  await page.locator("#link.on").waitFor();
  await page.locator(".grid > section:last-child > *").first().waitFor();
  if (click !== undefined) await page.locator(click).click();
  if (waitsFor !== undefined) await page.locator(waitsFor).waitFor();
  await page.screenshot({ path: `${IMAGES}/${name}.png`, animations: "disabled" });
  await browser.close();
  print(`docs/images/${name}.png`);
}

await Deno.mkdir(IMAGES, { recursive: true });
await using box = await Sandbox.make(FILES);
await inventHistory(box);
const config = `${box.dir}/llmc.toml`;
await Deno.writeTextFile(
  config,
  '[mcp.approvals]\nrequire = ["linux_fs_delete"]\n\n[mcp.limits]\nrate_limit_burst = 100\n',
);
await using server = await startHttp(box, {
  args: ["--config", config],
  env: { LLMC_MCP__TOOLS__RESULT_TOKENS: "2000" },
});
await work(server);
for (const picture of PICTURES) await takePicture(server, picture);
