/** A real browser on the operator's page, which reports everything that a page should not do. @module */
import assert from "node:assert/strict";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import type { HttpServer } from "./binary.ts";
import { needing, program } from "./needs.ts";

/** Where distributions put it; another one is named by the variable. */
export const CHROMIUM = Deno.env.get("LLMC_CHROMIUM") ?? "/usr/bin/chromium";
/** For a container, and for pictures that are always the same. */
export const CHROMIUM_ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-dev-shm-usage",
] as const;
/** On a busy machine everything takes longer; what never comes is told by then. */
const PATIENCE_MS = 20_000;

/** An open page and what went wrong on it. */
export interface Watched {
  readonly page: Page;
  /** Errors and warnings of the console, of scripts, and of the content policy; requests to anywhere else. */
  readonly faults: string[];
}

/** A test that needs the browser. */
export function browserTest(name: string, test: () => Promise<void>): void {
  Deno.test(needing(name, program(CHROMIUM)), test);
}

/** Runs a test on a page of its own; fails when the page did anything that it should not. */
export async function withPage(
  server: HttpServer,
  test: (watched: Watched) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const browser = await launch();
  try {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const faults = await watchFaults(page, server);
    await test({ page, faults });
    assert.deepEqual(faults, []);
  } finally {
    await browser.close();
  }
}

async function launch(): Promise<Browser> {
  try {
    return await chromium.launch({ executablePath: CHROMIUM, args: [...CHROMIUM_ARGS] });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : error;
    throw new Error(`Chromium at ${CHROMIUM} (or LLMC_CHROMIUM) does not start: ${reason}`);
  }
}

async function watchFaults(page: Page, { url }: HttpServer): Promise<string[]> {
  const faults: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(url)) faults.push(`request: ${request.url()}`);
  });
  await page.exposeFunction("tellTest", (fault: string) => faults.push(fault));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      const what = `${Reflect.get(event, "violatedDirective")} ${Reflect.get(event, "blockedURI")}`;
      Reflect.get(globalThis, "tellTest")(`content policy: ${what}`);
    });
  });
  return faults;
}

/** Logs in with the server's token, and waits until the page is kept up to date. */
export async function logIn(page: Page, { url, token }: HttpServer, path = "/ui"): Promise<void> {
  await page.goto(`${url}${path}`);
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.locator("#link.on").waitFor();
}

/** What the accessibility checker finds, one line each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await Reflect.get(globalThis, "axe").run(Reflect.get(globalThis, "document"), {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    return violations.map((each: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
      `${each.id}: ${
        each.nodes.map(({ html, failureSummary }) => `${html.slice(0, 120)} ${failureSummary}`).join(" | ")
      }`
    );
  });
  return Array.isArray(found) ? found.map(String) : ["the checker did not run"];
}
