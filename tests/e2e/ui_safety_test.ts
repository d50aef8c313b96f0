import assert from "node:assert/strict";
import type { BrowserContextOptions, Page } from "playwright-core";
import { type HttpServer, Sandbox, startHttp } from "../support/binary.ts";
import { accessibilityFaults, browserTest, logIn, withPage } from "../support/browser.ts";
import { callTool } from "../support/call_tool.ts";
import { WITHOUT_LIMITS } from "../support/raw_http.ts";

/** Each would run, load something, or end the element that it stands in, if it were taken for HTML. */
const ATTACKS = [
  "<img src=x onerror=alert(1)>",
  `"><script>alert(2)</script>`,
  "'><svg onload=alert(3)>",
  "</pre></td></table><iframe srcdoc='<script>parent.alert(4)</script>'>",
  "<style>*{display:none}</style><base href=//other.example/>",
  "&lt;b&gt; {{7*7}} ${alert(5)}",
];
const PAGES = ["/ui", "/ui?range=day", "/ui/calls", "/ui/storage", "/ui/sandbox", "/ui/config", "/ui/docs"];

async function withServer(
  args: readonly string[],
  test: (server: HttpServer, sandbox: Sandbox) => Promise<void>,
): Promise<void> {
  await using sandbox = await Sandbox.make({ "a.txt": "one\ntwo\n" });
  await using server = await startHttp(sandbox, { args: [...WITHOUT_LIMITS, ...args] });
  await test(server, sandbox);
}

/** Something of everything that the page can show. */
async function fillPage(server: HttpServer): Promise<void> {
  await callTool(server, "linux_fs_read", { path: "a.txt" });
  await callTool(server, "linux_fs_read", { path: "/etc/shadow" });
  await callTool(server, "run_cmd", { command: "bash -c 'echo {1..9999}; exit 1'" });
  await callTool(server, "te_run", { command: "ls -l" });
  await callTool(server, "linux_proc_start", { command: "bash -c 'echo begun; read line'" });
  await callTool(server, "linux_proc_start", { command: "bash -c 'exit 3'" });
  await callTool(server, "linux_fs_delete", { path: "a.txt" });
}

async function assertNothingForeign(page: Page, about: string): Promise<void> {
  const foreign = await page.locator("script, img, iframe, base, style, svg[onload], b:not(.docs b)").evaluateAll((
    found,
  ) =>
    found.map((each) => Reflect.get(each, "outerHTML")).filter((html) =>
      html !== '<script src="/ui/app.js" type="module"></script>'
    )
  );
  assert.deepEqual(foreign, [], about);
}

browserTest(
  "/ui takes nothing for HTML: arguments, file names, labels, commands, output, codes of errors",
  () =>
    withServer(
      ["--set", 'mcp.approvals.require=["linux_fs_delete"]'],
      (server, sandbox) =>
        withPage(server, async ({ page }) => {
          await logIn(page, server);
          for (const attack of ATTACKS) {
            const headers = { "X-LLMC-Agent": attack };
            await sandbox.write(`${attack.replaceAll("/", "_")}.txt`, `${attack}\n`.repeat(20_000));
            await callTool(server, "linux_fs_read", { path: `${attack.replaceAll("/", "_")}.txt` }, headers);
            await callTool(server, "linux_fs_read", { path: attack }, headers);
            await callTool(server, attack, { [attack]: attack }, headers);
            await callTool(server, "run_cmd", { argv: ["echo", attack] }, headers);
          }
          await callTool(server, "linux_proc_start", {
            argv: ["bash", "-c", 'printf "%s\\n" "$@"; read', "x", ...ATTACKS],
          });
          const deleting = callTool(server, "linux_fs_delete", { path: ATTACKS[0] }, {
            "X-LLMC-Agent": ATTACKS[1] ?? "",
          });
          await page.locator(".question").getByText(ATTACKS[0] ?? "").waitFor();
          const output = page.locator("#processes pre");
          for (const attack of ATTACKS) {
            await output.getByText(attack).waitFor();
          }
          await page.goto(`${server.url}/ui/calls`);
          for (const attack of ATTACKS) {
            await page.locator("#all-calls code").getByText(attack).first().waitFor();
            await page.locator("#all-calls bdi").getByText(attack).first().waitFor();
            await page.locator("#all-calls tbody tr").filter({ has: page.locator("code", { hasText: attack }) })
              .locator("a.name").first().click();
            await page.getByRole("dialog").locator("pre").getByText(attack).first().waitFor();
            await assertNothingForeign(page, attack);
            await page.keyboard.press("Escape");
          }
          for (const path of PAGES) {
            await page.goto(`${server.url}${path}`);
            await page.locator("#link.on").waitFor();
            await assertNothingForeign(page, path);
          }
          await page.getByRole("button", { name: /^Deny/ }).click();
          assert.equal((await deleting).detail_code, "APPROVAL_DECLINED");
        }),
    ),
);

browserTest(
  "/ui makes characters visible that hide or reorder text",
  () =>
    withServer(
      ["--set", 'mcp.approvals.require=["linux_fs_delete"]'],
      (server) =>
        withPage(server, async ({ page }) => {
          await logIn(page, server);
          const deleting = callTool(server, "linux_fs_delete", { path: "safe\u202etxt.exe\u200b\u{e0041}" });
          await page.locator(".question").getByText("path: safe\\u{202e}txt.exe\\u{200b}\\u{e0041}").waitFor();
          await page.getByRole("button", { name: /^Deny/ }).click();
          await deleting;
        }),
    ),
);

browserTest(
  "/ui runs no script but its own, even when one is put into it",
  () =>
    withServer([], (server) =>
      withPage(server, async ({ page, faults }) => {
        await logIn(page, server);
        const ran = await page.evaluate(() => {
          const document = Reflect.get(globalThis, "document");
          const script = document.createElement("script");
          try {
            script.textContent = "window.ran = true";
            document.body.append(script);
            document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='window.ran = true'>");
          } catch {
            // refused, as it should be
          }
          return Reflect.get(globalThis, "ran") === true;
        });
        assert.equal(ran, false);
        assert.ok(faults.splice(0).some((fault) => fault.includes("Trusted")), "the policy was asked");
      })),
);

/** Everything that shows only a part of its width or height, short forms that open to the whole apart. */
async function cutOff(page: Page): Promise<unknown> {
  return await page.evaluate(() => {
    const document = Reflect.get(globalThis, "document"), style = Reflect.get(globalThis, "getComputedStyle");
    const isShort = (element: { closest(selector: string): unknown }) =>
      element.closest(".unseen, .argscell code, .command, pre.tail") !== null;
    return [document.documentElement, ...document.querySelectorAll("body *")].filter((element) => {
      const { overflowX, overflowY, display } = style(element);
      if (display === "inline" || isShort(element)) return false;
      const isWide = overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1;
      const isHigh = overflowY === "hidden" && element.scrollHeight > element.clientHeight + 1;
      return isWide || isHigh;
    }).map((element) => `${element.nodeName} ${element.id} ${element.className} ${element.ariaLabel ?? ""}`);
  });
}

const SIZES: Readonly<Record<string, BrowserContextOptions>> = {
  "390 px, a phone": { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  "768 px": { viewport: { width: 768, height: 1024 } },
  "1280 px": { viewport: { width: 1280, height: 800 } },
  "1920 px": { viewport: { width: 1920, height: 1080 } },
};

for (const [size, options] of Object.entries(SIZES)) {
  browserTest(
    `/ui is accessible in both themes, and nothing is cut off: ${size}`,
    () =>
      withServer(["--set", 'mcp.approvals.require=["linux_fs_delete"]'], async (server) => {
        await fillPage(server);
        await withPage(server, async ({ page }) => {
          const check = async (about: string) => {
            assert.deepEqual(await cutOff(page), [], about);
            for (const colorScheme of ["light", "dark"] as const) {
              await page.emulateMedia({ colorScheme });
              assert.deepEqual(await accessibilityFaults(page), [], `${about}, ${colorScheme}`);
            }
          };
          await page.goto(`${server.url}/ui`);
          await page.getByLabel("Token").waitFor();
          await check("login");
          await logIn(page, server);
          for (const path of PAGES) {
            await page.goto(`${server.url}${path}`);
            await page.locator("#link.on").waitFor();
            await page.locator(".grid > section:last-child > *").first().waitFor();
            await check(path);
          }
          await page.goto(`${server.url}/ui/calls`);
          await page.locator("a.name", { hasText: "run_cmd" }).click();
          const details = page.getByRole("dialog");
          await details.getByText("Kept for reading on").waitFor();
          await check("a call");
          await details.locator("a[data-opens]").click();
          await details.getByText("Kept result").waitFor();
          await check("a handle");
          const address = await page.locator("#all-calls a.name").last().getAttribute("href");
          await page.goto(`${server.url}${address}`);
          await page.locator("#call pre").first().waitFor();
          await check("a call on a page of its own");
        }, { ...options, reducedMotion: "reduce" }); // a colour on its way to another is no fault
      }),
  );
}

browserTest("/ui says of a kept result where it is from", () =>
  withServer([], async (server) => {
    await fillPage(server);
    await withPage(server, async ({ page }) => {
      await logIn(page, server, "/ui/storage");
      await page.locator("#handles tbody tr").getByText("bash -c 'echo {1..9999}; exit 1'").waitFor();
    });
  }));

browserTest(
  "/ui without anything to show is accessible as well",
  () =>
    withServer([], (server) =>
      withPage(server, async ({ page }) => {
        await logIn(page, server);
        for (const path of PAGES) {
          await page.goto(`${server.url}${path}`);
          await page.locator("#link.on").waitFor();
          assert.deepEqual(await accessibilityFaults(page), [], path);
        }
      })),
);

browserTest("/ui of a server without a token shows everything and lets nobody act", () =>
  withServer(
    ["--set", "mcp.auth.mode=none", "--set", 'mcp.approvals.require=["linux_fs_delete"]'],
    (server) =>
      withPage(server, async ({ page }) => {
        await callTool(server, "linux_proc_start", { command: "bash -c 'echo begun; read line'" });
        const answer = await callTool(server, "linux_fs_delete", { path: "a.txt" });
        assert.equal(
          answer.detail_code,
          "APPROVAL_DECLINED",
          "the page is no way to be asked, and there is no terminal",
        );
        await page.goto(`${server.url}/ui`);
        await page.locator("#link.on").waitFor();
        await page.locator("#processes pre").getByText("begun").waitFor();
        await page.getByText("looking only").waitFor();
        assert.equal(await page.getByRole("button").count(), 0);
        assert.deepEqual(await accessibilityFaults(page), []);
      }),
  ));
