import assert from "node:assert/strict";
import { BINARY, runBinary, Sandbox } from "../support/binary.ts";

type Shell = "bash" | "zsh" | "fish";

/** Runs a script in a shell that has read our completions; `$1` is the line up to the cursor. */
const ASK: Readonly<Record<Shell, string>> = {
  bash: `
    COMP_LINE=$1 COMP_POINT=\${#1}
    read -r -a COMP_WORDS <<<"$1"
    _llmc_mcp 2>/dev/null # without a terminal there is no completion whose options could be set
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  fish: `complete -C "$argv[1]"`,
  // A real shell at a terminal, because zsh completes nowhere else; each candidate is told apart from what is drawn.
  zsh: `
    zmodload zsh/zpty
    zpty -b shell zsh -f -i
    zpty -w shell "PROMPT= RPROMPT=; fpath=(\${0:A:h} $fpath); autoload -Uz compinit; compinit -D -u"
    zpty -w shell "source $2; bindkey '^I' complete-word; zstyle ':completion:*' verbose no"
    zpty -w shell "compadd() { builtin compadd -A found \\"\\$@\\"; for each in \\$found; do print -r -- \\"<\\$each>\\" >> $3; done; builtin compadd \\"\\$@\\" }"
    zpty -w shell "print ready >> $3"
    until [[ -s $3 ]]; do sleep 0.02; done
    zpty -w -n shell "$1"$'\\t'
    zpty -w -n shell $'\\x15'"print done >> $3"$'\\n'
    until grep -q done $3; do sleep 0.02; done
    sed -n 's/^<\\(.*\\)>$/\\1/p' $3`,
};

async function candidates(shell: Shell, sandbox: Sandbox, line: string): Promise<string[]> {
  const script = `${sandbox.dir}/completion.${shell}`;
  const { stdout, code } = await runBinary(["completion", shell], { env: sandbox.env });
  assert.equal(code, 0);
  await Deno.writeTextFile(script, stdout);
  const answers = `${sandbox.dir}/answers`;
  await Deno.writeTextFile(answers, "");
  const args = {
    bash: ["--norc", "-c", `source ${script}\n${ASK.bash}`, "bash", line],
    zsh: ["-f", "-c", ASK.zsh, "zsh", line, script, answers],
    fish: ["--no-config", "-c", `source ${script}\n${ASK.fish}`, line],
  }[shell];
  const command = new Deno.Command("timeout", {
    args: ["30", shell, ...args],
    env: sandbox.env,
    clearEnv: true,
    cwd: sandbox.root,
    stdin: "null",
  });
  const result = await command.output();
  const text = new TextDecoder().decode(result.stdout);
  assert.ok(result.success, shell);
  assert.equal(new TextDecoder().decode(result.stderr), "");
  // fish adds a description behind a tab.
  return text.split("\n").map((each) => each.split("\t")[0]?.trim() ?? "").filter((each) => each !== "");
}

/** Lines, something that must be offered, and something that must not. */
const CASES: readonly (readonly [line: string, offered: string, not: string])[] = [
  ["llmc-mcp do", "doctor", "serve"],
  ["llmc-mcp ", "completion", "show"],
  ["llmc-mcp config ", "check", "doctor"],
  ["llmc-mcp config show --j", "--json", "--fresh-token"],
  ["llmc-mcp serve --fr", "--fresh-token", "--json"],
  ["llmc-mcp serve --root . --po", "--port", "--json"],
  ["llmc-mcp print-config c", "claude-code", "vscode"],
  ["llmc-mcp completion ", "fish", "doctor"],
  ["llmc-mcp serve --root ", "sub/", "a.txt"],
  ["llmc-mcp serve --config ", "a.txt", "doctor"],
  ["llmc-mcp stdio s", "sub/", "stdio"],
  ["llmc-mcp doctor --set mcp.server.p", "mcp.server.port=", "mcp.server.host="],
  ["llmc-mcp tool linux_fs_re", "linux_fs_read", "run_cmd"],
  ["llmc-mcp tool linux_fs_read p", "path=", "max_lines="],
  ["llmc-mcp tool --root . linux_fs_read path=a.txt max", "max_lines=", "path="],
  ["llmc-mcp te --st", "--stats", "--fresh-token"],
];

for (const shell of ["bash", "zsh", "fish"] as const) {
  Deno.test(`${shell} completes commands, options, their values, settings, tools and their arguments`, async () => {
    await using sandbox = await Sandbox.make({ "a.txt": "", "sub/b.txt": "" });
    for (const [line, offered, not] of CASES) {
      // What shells put behind a word, they need not show with it.
      const found = (await candidates(shell, sandbox, line)).map((each) => each.replace(/[/=]$/, ""));
      assert.ok(found.includes(offered.replace(/[/=]$/, "")), `${line}| ${JSON.stringify(found)}`);
      assert.ok(!found.includes(not.replace(/[/=]$/, "")), `${line}| ${JSON.stringify(found)}`);
    }
  });
}

Deno.test("every command that the program has is completed", async () => {
  await using sandbox = await Sandbox.make();
  const { stdout } = await runBinary(["--help"], { env: sandbox.env });
  const list = stdout.match(/^Commands:\n((?: .*\n)*)/m)?.[1] ?? "";
  const commands = [...list.matchAll(/^ {2}([a-z-]+)/gm)].flatMap(([, name]) => name && name !== "help" ? [name] : []);
  assert.ok(commands.length >= 9, stdout);
  const found = await candidates("bash", sandbox, "llmc-mcp ");
  assert.deepEqual(found.sort(), commands.sort());
});

Deno.test("every command has a help with examples that it takes", async () => {
  await using sandbox = await Sandbox.make();
  const visit = async (words: readonly string[]): Promise<void> => {
    const { stdout, code } = await runBinary([...words, "--help"], { env: sandbox.env });
    assert.equal(code, 0);
    const name = words.join(" ");
    if (words[0] !== "version") assert.match(stdout, /\nExamples:\n {2}\S/, name);
    const list = stdout.match(/^Commands:\n((?: .*\n)*)/m)?.[1] ?? "";
    for (const [, child] of list.matchAll(/^ {2}([a-z-]+)/gm)) {
      if (child && child !== "help") await visit([...words, child]);
    }
  };
  await visit([]);
});

Deno.test("completion of an unknown shell is refused with those that are known", async () => {
  await using sandbox = await Sandbox.make();
  const { code, stderr } = await runBinary(["completion", "tcsh"], { env: sandbox.env, binary: BINARY });
  assert.equal(code, 64);
  assert.match(stderr, /bash, zsh, fish/);
});
