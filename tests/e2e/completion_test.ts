import assert from "node:assert/strict";
import { BINARY, runBinary, Sandbox } from "../support/binary.ts";
import { needing, program } from "../support/needs.ts";

type Shell = "bash" | "zsh" | "fish";

/** A script in a shell that has read our completions: for each argument, a line up to the cursor, what is offered and `--`. */
const ASK: Readonly<Record<Shell, string>> = {
  bash: `
    for line; do
      COMP_LINE=$line COMP_POINT=\${#line} COMPREPLY=()
      read -r -a COMP_WORDS <<<"$line"
      _llmc_mcp 2>/dev/null # without a terminal there is no completion whose options could be set
      printf '%s\\n' "\${COMPREPLY[@]}" --
    done`,
  fish: `
    for line in $argv
        complete -C $line
        printf '%s\\n' --
    end`,
  // A real shell at a terminal, because zsh completes nowhere else; its candidates are caught on their way.
  zsh: `
    answers=$1 script=$2
    shift 2
    zmodload zsh/zpty
    zpty -b shell zsh -f -i
    zpty -w shell "PROMPT= RPROMPT=; autoload -Uz compinit; compinit -D -u"
    zpty -w shell "source $script; zstyle ':completion:*' verbose no"
    zpty -w shell "compadd() { (( \\$argv[(I)-[ADO]] )) || { builtin compadd -A found \\"\\$@\\"; print -rl -- \\$found >> $answers }; builtin compadd \\"\\$@\\" }"
    zpty -w shell "finish() { zle complete-word; BUFFER=; print -- -- >> $answers }; zle -N finish; bindkey '^I' finish"
    zpty -w shell "print ready >> $answers"
    until [[ -s $answers ]]; do sleep 0.02; done
    for line; do
      zpty -w -n shell "$line"$'\\t'
      ended=$(( \${ended:-0} + 1 ))
      until (( $(grep -c -e '^--$' $answers) >= ended )); do sleep 0.02; done
    done
    tail -n +2 $answers`,
};

/** What the shell offers for each line. */
async function candidates(shell: Shell, sandbox: Sandbox, lines: readonly string[]): Promise<string[][]> {
  const script = `${sandbox.dir}/completion.${shell}`, answers = `${sandbox.dir}/answers`;
  const { stdout, code } = await runBinary(["completion", shell], { env: sandbox.env });
  assert.equal(code, 0);
  await Deno.writeTextFile(script, stdout);
  await Deno.writeTextFile(answers, "");
  const args = {
    bash: ["--norc", "-c", `source ${script}\n${ASK.bash}`, "bash"],
    zsh: ["-f", "-c", ASK.zsh, "zsh", answers, script],
    fish: ["--no-config", "-c", `source ${script}\n${ASK.fish}`],
  }[shell];
  const command = new Deno.Command("timeout", {
    args: ["60", shell, ...args, ...lines],
    env: sandbox.env,
    clearEnv: true,
    cwd: sandbox.root,
    stdin: "null",
  });
  const result = await command.output(), decoder = new TextDecoder();
  assert.equal(decoder.decode(result.stderr), "");
  assert.ok(result.success, shell);
  const blocks = decoder.decode(result.stdout).split(/^--\n/m).slice(0, lines.length);
  // fish adds a description behind a tab; what shells put behind a word, they need not show with it.
  return blocks.map((block) => block.split("\n").map((each) => each.split("\t")[0]?.trim().replace(/[/=]$/, "") ?? ""));
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
  ["llmc-mcp serve --root ", "sub", "a.txt"],
  ["llmc-mcp serve --config ", "a.txt", "doctor"],
  ["llmc-mcp stdio s", "sub", "stdio"],
  ["llmc-mcp doctor --set mcp.server.p", "mcp.server.port", "mcp.server.host"],
  ["llmc-mcp tool linux_fs_re", "linux_fs_read", "run_cmd"],
  ["llmc-mcp tool linux_fs_read p", "path", "max_lines"],
  ["llmc-mcp tool --root . linux_fs_read path=a.txt max", "max_lines", "path"],
  ["llmc-mcp rag search x --scope ", "docs", "doctor"],
  ["llmc-mcp te --st", "--stats", "--fresh-token"],
];

for (const shell of ["bash", "zsh", "fish"] as const) {
  const name = `${shell} completes commands, options, their values, settings, tools and their arguments`;
  Deno.test(needing(name, program(shell)), async () => {
    await using sandbox = await Sandbox.make({ "a.txt": "", "sub/b.txt": "" });
    const found = await candidates(shell, sandbox, CASES.map(([line]) => line));
    for (const [index, [line, offered, not]] of CASES.entries()) {
      const words = found[index] ?? [];
      assert.ok(words.includes(offered), `${line}| ${JSON.stringify(words)}`);
      assert.ok(!words.includes(not), `${line}| ${JSON.stringify(words)}`);
    }
  });
}

Deno.test("every command that the program has is completed", async () => {
  await using sandbox = await Sandbox.make();
  const { stdout } = await runBinary(["--help"], { env: sandbox.env });
  const list = stdout.match(/^Commands:\n((?: .*\n)*)/m)?.[1] ?? "";
  const commands = [...list.matchAll(/^ {2}([a-z-]+)/gm)].flatMap(([, name]) => name && name !== "help" ? [name] : []);
  assert.ok(commands.length >= 9, stdout);
  const [found = []] = await candidates("bash", sandbox, ["llmc-mcp "]);
  assert.deepEqual(found.filter((each) => each !== "").sort(), commands.sort());
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
