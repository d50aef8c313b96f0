/** Scenario: permissions of files and folders are revoked while the server runs, and granted again. @module */
import { badLines, makeFolders, type Scenario, type Setting } from "../scenario.ts";
import type { Outcome } from "../../../scripts/reports/reliability.ts";
import { speakStdio } from "../speakers.ts";

/** A user whom the file modes bind; root is not bound by any. */
const NOBODY = 65_534;

const AS_NOBODY = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];

export const revoked: Scenario = {
  name: "revoked permissions",
  share: 0.03,
  async lack(program) {
    if (Deno.uid() !== 0) return null;
    const [setpriv = "", ...as] = AS_NOBODY;
    const started = new Deno.Command(setpriv, { args: [...as, program, "version"], cwd: "/", stdin: "null" }).output();
    return await started.then(({ success }) => success, () => false)
      ? null
      : "another user cannot start the executable";
  },
  async run({ program, dir }: Setting): Promise<Outcome> {
    const { root, env } = await makeFolders(dir);
    await Deno.mkdir(`${root}/sub`);
    await Deno.writeTextFile(`${root}/sub/a.txt`, "one\n");
    const isRoot = Deno.uid() === 0;
    if (isRoot) await giveTo(dir, NOBODY);
    const speaker = await speakStdio({ program, root, env, wrap: isRoot ? AS_NOBODY : [] });
    const faults: string[] = [];
    let refused = 0;
    const expect = async (codes: readonly (string | null)[], name: string, args: Record<string, unknown>) => {
      const { code, text } = await speaker.call(name, args);
      if (code !== null) refused++;
      if (!codes.includes(code)) faults.push(`${name} ${JSON.stringify(args)}: ${text.slice(0, 200)}`);
    };
    const everything = async (codes: readonly (string | null)[]) => {
      await expect(codes, "linux_fs_read", { path: "sub/a.txt" });
      await expect(codes, "linux_fs_write", { path: "sub/a.txt", content: "one\n" });
      await expect(codes, "linux_fs_write", { path: "sub/b.txt", content: "b\n" });
      await expect(codes, "linux_fs_list", { path: "sub" });
      await expect(codes, "linux_fs_patch_block", { path: "sub/a.txt", old_text: "one", new_text: "one" });
    };
    const denied = ["PERMISSION_DENIED", "WRITE_FAILED", "NOT_FOUND"];
    await everything([null, "INVALID_ARGUMENT"]);
    await Deno.chmod(`${root}/sub`, 0o000);
    await everything(denied);
    await Deno.chmod(`${root}/sub`, 0o555);
    await expect(denied, "linux_fs_write", { path: "sub/c.txt", content: "c\n" });
    await expect(denied, "linux_fs_delete", { path: "sub/a.txt" });
    await Deno.chmod(`${root}/sub`, 0o755);
    await Deno.chmod(`${root}/sub/a.txt`, 0o000);
    await expect(denied, "linux_fs_read", { path: "sub/a.txt" });
    await expect(denied, "linux_fs_write", { path: "sub/a.txt", content: "two\n" });
    await Deno.chmod(`${root}/sub/a.txt`, 0o644);
    await Deno.chmod(`${dir}/state/llmc-mcp`, 0o000);
    await expect([null], "linux_fs_read", { path: "sub/a.txt" });
    await expect([null, "WRITE_FAILED"], "run_cmd", { argv: ["seq", "50000"] });
    await Deno.chmod(`${dir}/state/llmc-mcp`, 0o700);
    await everything([null, "INVALID_ARGUMENT"]);
    if (await Deno.readTextFile(`${root}/sub/a.txt`) !== "one\n") faults.push("a refused change was made");
    await speaker.close();
    return { figures: { "calls refused": refused }, faults: [...faults, ...badLines(speaker.log())] };
  },
};

async function giveTo(path: string, owner: number): Promise<void> {
  await Deno.chown(path, owner, owner);
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    if (isDirectory) await giveTo(`${path}/${name}`, owner);
    else await Deno.chown(`${path}/${name}`, owner, owner);
  }
}
