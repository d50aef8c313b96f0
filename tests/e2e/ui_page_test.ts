import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type HttpServer, Sandbox, startHttp } from "../support/binary.ts";
import { browserTest, logIn, withPage } from "../support/browser.ts";
import { callTool } from "../support/call_tool.ts";
import { makeCertificate, tlsOptions } from "../support/certificate.ts";
import { WITHOUT_LIMITS } from "../support/raw_http.ts";

/** Prints a line whenever it is sent one, and ends when it is told to. */
const ECHO = "bash -c 'echo begun; while read line; do echo got $line; done'";

async function withServer(
  args: readonly string[],
  test: (server: HttpServer, sandbox: Sandbox) => Promise<void>,
): Promise<void> {
  await using sandbox = await Sandbox.make({ "a.txt": "one\ntwo\n", "b.txt": "three\n" });
  await using server = await startHttp(sandbox, { args: [...WITHOUT_LIMITS, ...args] });
  await test(server, sandbox);
}

/** A question at a button is taken back after a while; where a test stands still, the page must wait for it. */
async function stopTime(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
}

browserTest(
  "/ui asks for the token; a wrong one is told so and opens nothing, the right one opens the page",
  () =>
    withServer([], (server) =>
      withPage(server, async ({ page, faults }) => {
        await page.goto(`${server.url}/ui/sandbox`);
        await page.getByLabel("Token").fill("not the token");
        await page.getByRole("button", { name: "Log in" }).click();
        await page.getByRole("alert").getByText("Wrong token.").waitFor();
        assert.equal(await page.locator("#sandbox").isVisible(), false);
        assert.match(faults.splice(0).join(), /401/); // the browser's own line about the answer
        await page.getByLabel("Token").fill(server.token);
        await page.keyboard.press("Enter");
        await page.locator("#link.on").waitFor();
        assert.equal(new URL(page.url()).pathname, "/ui/sandbox");
        await page.reload();
        await page.locator("#link.on").waitFor(); // a login lasts
      })),
);

browserTest(
  "/ui keeps what the address asks for through the login",
  () =>
    withServer([], (server) =>
      withPage(server, async ({ page }) => {
        await logIn(page, server, "/ui?range=day");
        assert.equal(new URL(page.url()).search, "?range=day");
        assert.equal(await page.locator("#timeline a[aria-current]").textContent(), "24 h");
      })),
);

browserTest(
  "/ui lets a second tab in without the token, and out again with the first",
  () =>
    withServer([], (server) =>
      withPage(server, async ({ page }) => {
        await logIn(page, server);
        const other = await page.context().newPage();
        await other.goto(`${server.url}/ui/storage`);
        await other.locator("#link.on").waitFor();
        await page.getByRole("button", { name: "Log out" }).click();
        for (const each of [page, other]) await each.getByLabel("Token").waitFor();
        assert.equal(await other.locator("#handles").isVisible(), false);
      })),
);

browserTest(
  "/ui shows a call as it arrives, with arguments, size, tokens, latency and status, without a reload",
  () =>
    withServer([], (server) =>
      withPage(server, async ({ page }) => {
        await logIn(page, server);
        await page.evaluate(() => Reflect.set(globalThis, "sameLoad", true));
        await callTool(server, "linux_fs_read", { path: "a.txt" });
        const row = page.locator("#calls tbody tr").filter({ hasText: "linux_fs_read" });
        await row.getByText("ok", { exact: true }).waitFor();
        const cells = await row.getByRole("cell").allTextContents();
        assert.match(cells[0] ?? "", /^\d\d:\d\d:\d\d$/);
        assert.equal(cells[2], "path=a.txt");
        assert.match(cells[3] ?? "", /^\d+B\s+\d+ tokens$/);
        assert.match(cells[4] ?? "", /^[\d.]+ (µs|ms|s)$/);
        await callTool(server, "linux_fs_read", { path: "/etc/shadow" });
        await page.locator("#calls tbody tr").first().getByText("INVALID_PATH").waitFor();
        await page.locator("#errors").getByText("INVALID_PATH").waitFor();
        await page.locator("#tiles").getByText("1 error (50 %)").waitFor();
        assert.equal(await page.evaluate(() => Reflect.get(globalThis, "sameLoad")), true);
      })),
);

browserTest(
  "/ui shows a call that runs, and how it ended",
  () =>
    withServer([], (server, sandbox) =>
      withPage(server, async ({ page }) => {
        const fifo = `${sandbox.root}/go`;
        assert.ok((await new Deno.Command("mkfifo", { args: [fifo] }).output()).success);
        await logIn(page, server);
        const answer = callTool(server, "run_cmd", { command: "bash -c 'read word < go; exit 3'" });
        await page.locator("#calls tbody tr").filter({ hasText: "run_cmd" }).getByText("running").waitFor();
        await page.locator("#calls tbody tr").filter({ hasText: "running" }).getByText("execute").waitFor();
        await Deno.writeTextFile(fifo, "go\n");
        await answer;
        await page.locator("#calls tbody tr").filter({ hasText: "run_cmd" }).getByText("failed").waitFor();
        await page.locator("#calls").getByText("1 running call").waitFor({ state: "detached" });
      })),
);

browserTest(
  "/ui shows what a process prints, and stops it after asking",
  () =>
    withServer([], (server) =>
      withPage(server, async ({ page }) => {
        const { proc_id } = await callTool(server, "linux_proc_start", { command: ECHO });
        await logIn(page, server);
        const process = page.locator(`#${proc_id}`);
        await process.locator("pre").getByText("begun").waitFor();
        await callTool(server, "linux_proc_send", { proc_id, input: "hello" });
        await process.getByText("got hello").waitFor();
        await stopTime(page);
        await process.getByRole("button", { name: /Stop process/ }).click();
        await process.getByRole("button", { name: "Really stop?" }).click();
        await page.getByText("The process has ended.").waitFor();
        await process.getByText(/exit|ended by/).waitFor();
        const read = await callTool(server, "linux_proc_read", { proc_id });
        assert.equal(read.state, "exited");
      })),
);

browserTest(
  "/ui asks the operator: an allowed call goes on, a denied one is refused",
  () =>
    withServer(
      ["--set", 'mcp.approvals.require=["destroy"]'],
      (server, sandbox) =>
        withPage(server, async ({ page }) => {
          await logIn(page, server);
          const first = callTool(server, "linux_fs_delete", { path: "a.txt" });
          const question = page.locator(".question");
          await question.getByText("path: a.txt").waitFor();
          assert.match(await page.title(), /^\(1\) /);
          const code = await question.locator("form .code").textContent() ?? "";
          await question.getByRole("button", { name: /^Allow/ }).click(); // without the code: the browser asks for it
          await question.getByLabel("To allow this one call").fill("AAAAAA");
          await question.getByRole("button", { name: /^Allow/ }).click();
          await page.getByText("That is not the code of this call. Nothing was allowed.").waitFor();
          await Deno.stat(`${sandbox.root}/a.txt`);
          await question.getByLabel("To allow this one call").fill(code.toLowerCase());
          await page.keyboard.press("Enter");
          await page.getByText("Allowed: the call continues.").waitFor();
          assert.equal((await first).detail_code, undefined);
          await assert.rejects(Deno.stat(`${sandbox.root}/a.txt`), Deno.errors.NotFound);
          await question.waitFor({ state: "detached" });

          const second = callTool(server, "linux_fs_delete", { path: "b.txt" });
          await question.getByRole("button", { name: /^Deny/ }).click();
          assert.equal((await second).detail_code, "APPROVAL_DECLINED");
          await page.getByText("Denied: the model is told so.").waitFor();
          await question.waitFor({ state: "detached" });
          assert.doesNotMatch(await page.title(), /^\(/);
          await Deno.stat(`${sandbox.root}/b.txt`);
        }),
    ),
);

browserTest(
  "/ui keeps the focus and what is scrolled while it is brought up to date",
  () =>
    withServer([], (server) =>
      withPage(server, async ({ page }) => {
        const { proc_id } = await callTool(server, "linux_proc_start", { command: ECHO });
        await logIn(page, server);
        const stop = page.locator(`#${proc_id}`).getByRole("button");
        await stop.focus();
        for (const path of ["a.txt", "b.txt", "."]) await callTool(server, "linux_fs_stat", { path });
        await callTool(server, "linux_proc_send", { proc_id, input: "again" });
        await page.locator(`#${proc_id}`).getByText("got again").waitFor();
        await page.locator("#calls").getByText("path=b.txt").first().waitFor();
        assert.ok(await stop.evaluate((button) => button === Reflect.get(globalThis, "document").activeElement));
      })),
);

browserTest("/ui works by keyboard alone", () =>
  withServer([], (server) =>
    withPage(server, async ({ page }) => {
      const { proc_id } = await callTool(server, "linux_proc_start", { command: ECHO });
      await page.goto(`${server.url}/ui`);
      await page.locator("input[name=token]:focus").waitFor(); // a page has loaded before its first field has the focus
      await page.keyboard.type(server.token);
      await page.keyboard.press("Enter");
      await page.locator("#link.on").waitFor();
      await page.keyboard.press("Tab");
      assert.equal(await page.locator(":focus").textContent(), "Skip to the content");
      await page.keyboard.press("Enter");
      assert.equal(await page.locator(":focus").getAttribute("id"), "main");
      const name = () => page.locator(":focus").getAttribute("aria-label");
      await stopTime(page);
      for (let presses = 0; presses < 40 && !(await name())?.startsWith("Stop"); presses++) {
        await page.keyboard.press("Tab");
      }
      await page.keyboard.press("Enter");
      assert.equal(await name(), "Really stop?");
      await page.keyboard.press("Enter");
      await page.locator(`#${proc_id}`).getByText(/exit|ended by/).waitFor();
    })));

browserTest(
  "/ui says without scripts that it needs one, and shows nothing",
  () =>
    withServer([], (server) =>
      withPage(server, async ({ page }) => {
        await callTool(server, "linux_fs_read", { path: "a.txt" });
        await page.goto(`${server.url}/ui`);
        await page.locator("noscript p", { hasText: "This page needs JavaScript" }).waitFor();
        assert.equal(await page.getByLabel("Token").isVisible(), false);
        assert.equal(await page.locator("#calls").isVisible(), false);
      }, { javaScriptEnabled: false })),
);

browserTest(
  "/ui leads to the login when the login is over, and forgets what it showed",
  () =>
    withServer(["--set", "mcp.server.ui_session_sec=5"], (server) =>
      withPage(server, async ({ page, faults }) => {
        await page.goto(`${server.url}/ui/sandbox`);
        await page.getByLabel("Token").fill(server.token);
        await page.getByRole("button", { name: "Log in" }).click();
        await page.getByLabel("Token").waitFor({ state: "hidden" });
        await page.getByLabel("Token").waitFor();
        assert.equal(await page.locator("#sandbox").textContent(), "");
        assert.deepEqual(faults.splice(0).filter((fault) => !fault.includes("401")), []); // asked for after its time
      })),
);

browserTest(
  "/ui says when the server does not answer any more",
  () =>
    withServer([], (server) =>
      withPage(server, async ({ page, faults }) => {
        await logIn(page, server);
        await server.stop();
        await page.getByText("not connected").waitFor();
        faults.length = 0; // the browser says so too
      })),
);

browserTest("/ui works over HTTPS and HTTP/2, and keeps no cookie", async () => {
  await using sandbox = await Sandbox.make();
  const { certFile, keyFile } = await makeCertificate(sandbox.dir);
  await using server = await startHttp(sandbox, { args: tlsOptions(certFile, keyFile) });
  await withPage(server, async ({ page }) => {
    await logIn(page, server);
    assert.deepEqual(await page.context().cookies(), []);
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByLabel("Token").waitFor();
  });
});
