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
const PAGES = ["/ui", "/ui?range=day", "/ui/storage", "/ui/sandbox", "/ui/config"];

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

browserTest(
  "/ui takes nothing for HTML: arguments, file names, labels, commands, output, codes of errors",
  () =>
    withServer(
      ["--set", 'mcp.approvals.require=["destroy"]'],
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
            await page.locator("#calls code").getByText(attack).first().waitFor();
            await page.locator("#calls bdi").getByText(attack).first().waitFor();
            await output.getByText(attack).waitFor();
          }
          for (const path of PAGES) {
            await page.goto(`${server.url}${path}`);
            await page.locator("#link.on").waitFor();
            const foreign = await page.locator("script, img, iframe, base, style, svg[onload], b").evaluateAll((
              found,
            ) =>
              found.map((each) => Reflect.get(each, "outerHTML")).filter((html) =>
                html !== '<script src="/ui/app.js" defer=""></script>'
              )
            );
            assert.deepEqual(foreign, [], path);
          }
          await page.getByRole("button", { name: /^Deny/ }).click();
          assert.equal((await deleting).code, "APPROVAL_DECLINED");
        }),
    ),
);

browserTest(
  "/ui makes characters visible that hide or reorder text",
  () =>
    withServer(["--set", 'mcp.approvals.require=["destroy"]'], (server) =>
      withPage(server, async ({ page }) => {
        await logIn(page, server);
        const deleting = callTool(server, "linux_fs_delete", { path: "safe\u202etxt.exe\u200b\u{e0041}" });
        await page.locator(".question").getByText("path: safe\\u{202e}txt.exe\\u{200b}\\u{e0041}").waitFor();
        await page.getByRole("button", { name: /^Deny/ }).click();
        await deleting;
      })),
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

/** Names of everything that shows a part of its width only. */
async function cutOff(page: Page): Promise<unknown> {
  return await page.evaluate(() => {
    const document = Reflect.get(globalThis, "document");
    return [document.documentElement, ...document.querySelectorAll(".bar nav, .scroll")]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map((element) => element.getAttribute("aria-label") ?? element.nodeName);
  });
}

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  "light": { colorScheme: "light", viewport: { width: 1360, height: 900 } },
  "dark": { colorScheme: "dark", viewport: { width: 1360, height: 900 } },
  "on a phone": { colorScheme: "light", viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  "dark on a phone": { colorScheme: "dark", viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
};

for (const [look, options] of Object.entries(LOOKS)) {
  browserTest(
    `/ui is accessible, and nothing is wider than the screen: ${look}`,
    () =>
      withServer(["--set", 'mcp.approvals.require=["destroy"]'], async (server) => {
        await fillPage(server);
        await withPage(server, async ({ page }) => {
          await page.goto(`${server.url}/ui/login`);
          assert.deepEqual(await accessibilityFaults(page), [], "login");
          await logIn(page, server);
          for (const path of PAGES) {
            await page.goto(`${server.url}${path}`);
            await page.locator("#link.on").waitFor();
            assert.deepEqual(await accessibilityFaults(page), [], path);
            // The one table that cannot be shown otherwise on a narrow screen.
            const mayScroll = options.isMobile && path === "/ui/sandbox" ? ["What each level holds"] : [];
            assert.deepEqual(await cutOff(page), mayScroll, path);
          }
        }, options);
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
    ["--set", "mcp.auth.mode=none", "--set", 'mcp.approvals.require=["destroy"]'],
    (server) =>
      withPage(server, async ({ page }) => {
        await callTool(server, "linux_proc_start", { command: "bash -c 'echo begun; read line'" });
        const answer = await callTool(server, "linux_fs_delete", { path: "a.txt" });
        assert.equal(answer.code, "APPROVAL_DECLINED", "the page is no way to be asked, and there is no terminal");
        await page.goto(`${server.url}/ui`);
        await page.locator("#link.on").waitFor();
        await page.locator("#processes pre").getByText("begun").waitFor();
        await page.getByText("looking only").waitFor();
        assert.equal(await page.getByRole("button").count(), 0);
        assert.deepEqual(await accessibilityFaults(page), []);
      }),
  ));
