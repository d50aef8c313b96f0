import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type HttpServer, Sandbox, startHttp } from "../support/binary.ts";
import { browserTest, logIn, withPage } from "../support/browser.ts";
import { callTool } from "../support/call_tool.ts";
import { WITHOUT_LIMITS } from "../support/raw_http.ts";

/** Many lines, one of them long, and characters that would hide in them. */
const LONG = `${Array.from({ length: 9_000 }, (_, line) => `line ${line}`).join("\n")}\n${"x".repeat(9_000)}\u202eend`;

async function withServer(test: (server: HttpServer, sandbox: Sandbox) => Promise<void>): Promise<void> {
  await using sandbox = await Sandbox.make({ "a.txt": "one\ntwo\n", "long.txt": LONG });
  await using server = await startHttp(sandbox, { args: [...WITHOUT_LIMITS] });
  await test(server, sandbox);
}

const openCall = (page: Page, tool: string) => page.locator("#calls a.name", { hasText: tool }).first().click();

browserTest(
  "/ui opens a call to its whole arguments, its whole answer and who made it",
  () =>
    withServer((server) =>
      withPage(server, async ({ page }) => {
        const content = `first\n${"much more ".repeat(500)}\nlast\u202e`;
        await callTool(server, "linux_fs_write", { path: "new.txt", content }, { "X-LLMC-Agent": "an-agent" });
        await callTool(server, "linux_fs_stat", { path: "missing.txt" });
        await logIn(page, server);
        await openCall(page, "linux_fs_write");
        const details = page.getByRole("dialog");
        const shown = await details.getByRole("region", { name: "Arguments" }).textContent() ?? "";
        assert.ok(shown.startsWith("path: new.txt\ncontent:\n  | first\n  | much more "), shown.slice(0, 100));
        assert.ok(shown.endsWith("much more \n  | last\\u{202e}"), shown.slice(-100));
        assert.match(await details.getByRole("region", { name: "Answer" }).textContent() ?? "", /new\.txt/);
        await details.getByText("a client that calls itself “an-agent”").waitFor();
        await page.keyboard.press("Escape");
        await openCall(page, "linux_fs_stat");
        await details.getByText("a client that gave no name").waitFor();
        await details.getByRole("region", { name: "Answer" }).getByText(/^NOT_FOUND: /).waitFor();
      })
    ),
);

browserTest(
  "/ui opens a running call, and shows its answer when it comes",
  () =>
    withServer((server, sandbox) =>
      withPage(server, async ({ page }) => {
        const fifo = `${sandbox.root}/go`;
        assert.ok((await new Deno.Command("mkfifo", { args: [fifo] }).output()).success);
        await logIn(page, server);
        const answer = callTool(server, "run_cmd", { command: "bash -c 'read word < go; echo got $word'" });
        await openCall(page, "run_cmd");
        const details = page.getByRole("dialog");
        await details.getByText("The call is still running.").waitFor();
        await Deno.writeTextFile(fifo, "it\n");
        await answer;
        await details.getByRole("region", { name: "Answer" }).getByText("got it").waitFor();
      })
    ),
);

browserTest(
  "/ui opens a kept result piece by piece, to its very last byte, and copies its handle",
  () =>
    withServer((server) =>
      withPage(server, async ({ page }) => {
        const { handle } = await callTool(server, "linux_fs_read", { path: "long.txt" });
        assert.equal(typeof handle, "string");
        await logIn(page, server);
        await openCall(page, "linux_fs_read");
        const details = page.getByRole("dialog"), content = details.getByRole("region", { name: "Content" });
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
        await details.getByRole("button", { name: `Copy ${handle}` }).click();
        await details.getByText("Copied").waitFor();
        assert.equal(await page.evaluate(() => Reflect.get(navigator, "clipboard").readText()), handle);
        await details.getByRole("link", { name: String(handle) }).click();
        let whole = await content.textContent() ?? "";
        assert.ok(whole.startsWith("line 0\nline 1\n"));
        const size = new TextEncoder().encode(LONG).length;
        await details.getByText(`bytes 0 to 65536 of ${size}`).waitFor();
        await details.getByRole("link", { name: "Next" }).click();
        await details.getByText(`bytes 65536 to ${size} of ${size}`).waitFor();
        whole += await content.textContent() ?? "";
        assert.equal(whole, LONG.replace("\u202e", "\\u{202e}"));
        await details.getByRole("link", { name: "First" }).click();
        await details.getByText(`bytes 0 to 65536 of ${size}`).waitFor();

        await page.goto(`${server.url}/ui/storage`);
        await page.locator("#handles").getByRole("link", { name: String(handle) }).click();
        await content.getByText("line 0").waitFor();
      })
    ),
);

browserTest("/ui says of a call before the start that its arguments and answer are not kept", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "one\n" });
  {
    await using server = await startHttp(sandbox, { args: [...WITHOUT_LIMITS] });
    await callTool(server, "linux_fs_read", { path: "a.txt" });
  }
  await using server = await startHttp(sandbox, { args: [...WITHOUT_LIMITS] });
  await withPage(server, async ({ page }) => {
    await logIn(page, server);
    await openCall(page, "linux_fs_read");
    const details = page.getByRole("dialog");
    await details.getByText("Its whole arguments and its answer are not kept").waitFor();
    await details.getByText("path=a.txt").waitFor();
    await page.goto(`${server.url}/ui/call?item=unknown`);
    await page.getByText("No call with this id is recorded.").waitFor();
    await page.goto(`${server.url}/ui/handle?item=H_file_20260101T000000Z_aaaaaaaaaaaaaaaaaaaa`);
    await page.getByText("This result has expired or was removed.").waitFor();
  });
});

browserTest(
  "/ui: several calls under one id are all shown, so that none can hide another",
  () =>
    withServer((server) =>
      withPage(server, async ({ page }) => {
        const headers = { "X-Correlation-Id": "same" };
        await callTool(server, "linux_fs_read", { path: "a.txt" }, headers);
        await callTool(server, "linux_fs_stat", { path: "a.txt" }, headers);
        await logIn(page, server, "/ui/call?item=same");
        await page.getByRole("heading", { name: "linux_fs_read" }).waitFor();
        await page.getByRole("heading", { name: "linux_fs_stat" }).waitFor();
      })
    ),
);

browserTest(
  "/ui opens and closes details by keyboard, and the focus returns",
  () =>
    withServer((server) =>
      withPage(server, async ({ page }) => {
        await callTool(server, "linux_fs_read", { path: "a.txt" });
        await logIn(page, server);
        const link = page.locator("#calls a.name").first();
        await link.focus();
        await page.keyboard.press("Enter");
        await page.getByRole("dialog").getByText("path: a.txt").waitFor();
        assert.equal(await page.locator(":focus").getAttribute("aria-label"), "Close the details");
        await page.keyboard.press("Enter");
        await page.getByRole("dialog").waitFor({ state: "hidden" });
        assert.ok(await link.evaluate((each) => each === Reflect.get(globalThis, "document").activeElement));
      })
    ),
);

browserTest("/ui's median is that of all calls, and leaves out what a call waited for consent", async () => {
  await using sandbox = await Sandbox.make({ "a.txt": "one\n" });
  await using server = await startHttp(sandbox, {
    args: [...WITHOUT_LIMITS, "--set", 'mcp.approvals.require=["linux_fs_delete"]'],
  });
  await withPage(server, async ({ page }) => {
    await logIn(page, server);
    const deleting = callTool(server, "linux_fs_delete", { path: "a.txt" });
    await page.locator(".question").waitFor();
    await page.waitForTimeout(2_000); // the person reads
    await page.getByRole("button", { name: /^Deny/ }).click();
    assert.equal((await deleting).detail_code, "APPROVAL_DECLINED");
    const duration = page.locator("#calls tbody tr").filter({ hasText: "APPROVAL_DECLINED" }).locator(".took");
    assert.match(await duration.textContent() ?? "", /µs|ms/);
    const tile = page.locator(".tile").filter({ hasText: "Median duration" });
    await tile.getByText(/95 % of calls within [\d.]+ (µs|ms)/).waitFor();
  });
});
