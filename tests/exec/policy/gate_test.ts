import assert from "node:assert/strict";
import type { OpsError } from "../../../src/core/error.ts";
import { estimateTokens } from "../../../src/core/tokens.ts";
import { strictGate, testGate } from "./gate_support.ts";

const ORDINARY = [
  "echo 'a;b'",
  "grep 'a|b' a.txt",
  "grep -rn 'a && b' src",
  "git log --format='%h | %s'",
  "git log --oneline -n 5 HEAD~1 -- src/b.ts",
  "git log -S 'std::vector'",
  "git -c user.name=x -c user.email=x@y.z commit -m 'first; second'",
  "git -c color.ui=always diff --stat",
  "git -C src status",
  "git rebase --exec 'make test' HEAD~2",
  "git bisect run pytest -q",
  "git push -u origin main",
  `python3 -c 'import os; print(os.getcwd() + "$HOME")'`,
  `node -e 'console.log([1,2].map((x) => x > 1))'`,
  "sed -n 1,5p a.txt",
  "sed -n '/x;y/,$p' a.txt",
  "sed -i s/a/b/ a.txt",
  "sed -i -e 's|/usr|/opt|g; s/[/]/x/' -e '/^$/d' a.txt",
  "sed 's/e/w/g;y/abc/xyz/' a.txt",
  "awk '/a|b/ { print $1 }' a.txt",
  `awk -F: '{ print $1 " | " $2 / 2 }' a.txt`,
  `awk 'BEGIN { s = "system(x)"; if (1 || 0) print s } # system("id")' a.txt`,
  "find . -name '*.ts' -exec grep -l x {} +",
  "find . -name '*.ts' -exec wc -l {} \\;",
  "find . -type f -newer a.txt -print",
  "find . -name '*.log' -delete",
  "ls -la /usr/include",
  "cat /proc/cpuinfo",
  "head -n 5 a.txt",
  "head -5 a.txt",
  "tail -n +3 a.txt",
  "sort -t/ -k2 a.txt",
  "cut -d/ -f1 a.txt",
  "rg -n 'foo\\(/bar' -g '*.ts' src",
  "rg -e /etc/passwd src",
  "tar czf out.tgz src",
  "tar -xzf out.tgz -C src",
  "tar -cf - src",
  "diff -u a.txt src/b.ts",
  "env FOO=1 python3 x.py",
  "env",
  "date +%Y/%m/%d",
  "make -j4 CC=gcc test",
  "ps aux",
  "uname -a",
  "stat -c '%s %n' a.txt",
  "bash -c 'ls -l | wc -l'",
  "bash build.sh --all",
  "sh -c 'echo $HOME'",
  "node server.js --port=80",
  "pytest -q -k 'a or b'",
  "patch -p1",
];

for (const command of ORDINARY) {
  Deno.test(`a confined gate admits: ${command}`, async () => {
    await using test = await testGate();
    await test.admits(command);
  });
}

const SHELL_LINES = [
  "ls *.ts",
  "ls | wc -l",
  "grep -rn foo src | head -20",
  "ls -la && cat a.txt || true",
  "cd src && ls",
  "cd src; git status",
  "FOO=1 python3 x.py",
  "PYTHONPATH=src python3 -m pytest -q",
  "GIT_AUTHOR_NAME=x git commit -m y",
  "GIT_EDITOR=true git rebase --continue",
  "PAGER=cat git log",
  'for f in *.ts; do grep -n foo "$f" || true; done',
  'while IFS= read -r line; do echo "$line"; done < a.txt',
  "if [ -f a.txt ]; then cat a.txt; else echo none; fi",
  'x=$(git rev-parse HEAD); echo "$x"',
  "echo $((1 + 2)) ${#x} ${x:-none} ${x//a/b}",
  "cat <<EOF > out.txt\nline $HOME\nEOF",
  "cat <<'EOF' > out.py\nprint(\"$(id)\")\nEOF",
  "python3 - <<'EOF'\nimport os\nprint(os.system)\nEOF",
  "diff <(sort a.txt) <(sort src/b.ts)",
  "find . -name '*.ts' | xargs grep -l foo",
  "find . -name '*.ts' -print0 | xargs -0 -n 1 sed -n 1,3p",
  "find . -name '*.ts' | xargs -I{} bash -c 'wc -l \"$1\"' _ {}",
  "time ls",
  "! grep -q x a.txt",
  "set -euo pipefail; ls",
  "trap 'rm -f x' EXIT; ls".replace("rm -f x", "echo bye"),
  'f() { ls "$@"; }; f src',
  "export FOO=bar; env",
  "ls 2>/dev/null >&2",
  "ls > out.txt 2>&1 &\nwait",
  "exec 2>&1; ls",
  "command -v node",
  "test -f a.txt && echo yes",
  "source venv/bin/activate && pytest -q",
  "case $x in a|b) ls;; *) echo other;; esac",
  'arr=(a b c); echo "${arr[@]}"',
  "[[ $x =~ ^a(b|c)$ ]] && echo ok",
  "make 2>&1 | tail -n 30",
  "echo '# not a comment' # a comment",
  "read -r a b <<< 'x y'; echo \"$b\"",
  "eval 'ls -l'",
  "PYTHON=python3; GIT_COMMIT=abc; echo $PYTHON",
  'timeout "$T" ls; nice -n "$N" ls',
  "git add . && git commit -m \"$(cat <<'EOF'\nmessage with 'quotes'\nEOF\n)\"",
];

for (const command of SHELL_LINES) {
  Deno.test(`a confined gate admits to a shell: ${command}`, async () => {
    await using test = await testGate({ programs: ["@developer"] });
    const { program, args } = await test.admits(command);
    assert.deepEqual([program, ...args], ["bash", "-c", command]);
  });
}

const SPELLINGS: Readonly<Record<string, string>> = {
  plain: "sudo id",
  "line break": "ls\nsudo id",
  quotes: "ls; 'sudo' id",
  "split quotes": "su''do id",
  backslash: "s\\udo id; ls",
  "ansi quotes": "ls; $'\\x73udo' id",
  env: "env A=1 sudo id",
  "bash -c": "bash -c 'sudo id'",
  "nested shells": `bash -c "sh -c 'sudo id'"`,
  xargs: "echo id | xargs sudo",
  then: "if true; then sudo id; fi",
  eval: "eval sudo id",
  "process substitution": "cat <(sudo id)",
  "command substitution": "echo $(sudo id)",
  backticks: "echo `sudo id`",
  "substitution in quotes": 'echo "x $(sudo id) y"',
  "substitution in a default": "echo ${x:-$(sudo id)}",
  "substitution in a here-document": "cat <<EOF\n$(sudo id)\nEOF",
  "absolute path": "/usr/bin/sudo id",
  "path in a shell": "ls; /usr/bin/sudo id",
  pipe: "echo id | sudo sh",
  loop: "for i in 1; do sudo id; done",
  case: "case x in a) sudo id;; esac",
  function: "f() { sudo id; }; f",
  exec: "exec sudo id",
  trap: "trap 'sudo id' EXIT; ls",
  find: "find . -exec sudo {} \\;",
  timeout: "timeout -k 5 5 sudo id",
  time: "time sudo id",
  "what npx runs": "npx sudo id",
  "an assignment before it": "A=1 sudo id",
  "a redirection before it": "> o sudo id",
};

for (const [name, command] of Object.entries(SPELLINGS)) {
  Deno.test(`an unsafe program is named and refused as: ${name}`, async () => {
    await using test = await testGate({ programs: ["@developer", "sudo"] });
    assert.match((await test.refuses(command)).message, /^(?:\S*\/)?sudo: unsafe$/);
  });
}

/** Tokens as the product estimates them; the code of the error is in front of every refusal. */
const tokensOf = (error: OpsError): number => estimateTokens(`${error.code}: ${error.message}. ${error.hint}`);

Deno.test("a refusal is one line of at most 25 tokens with the next step", async () => {
  await using test = await testGate({ programs: ["bash", "ls"] });
  const steps: Readonly<Record<string, RegExp>> = {
    lsof: /linux_sys_info network/,
    "ss -tln": /linux_sys_info network/,
    top: /linux_proc_list/,
    "systemctl status x": /linux_sys_services/,
    "journalctl -u x": /linux_sys_logs/,
    "vim a.txt": /linux_fs_/,
    "docker ps": /run_cmd_allowlist/,
    "ls | perl -e 1": /run_cmd_allowlist/,
    "/usr/bin/docker ps": /inside a root/,
  };
  for (const [command, step] of Object.entries(steps)) {
    const error = await test.refuses(command);
    assert.match(error.hint, step);
    assert.ok(tokensOf(error) <= 25, `${tokensOf(error)}: ${error.message}. ${error.hint}`);
    assert.ok(!`${error.message}${error.hint}`.includes("\n"));
  }
});

Deno.test("a file inside a root runs where Landlock works, and nowhere else", async () => {
  await using test = await testGate();
  await Deno.writeTextFile(`${test.root}/gradlew`, "#!/bin/sh\n", { mode: 0o755 });
  for (const command of ["./gradlew build", "src/../gradlew", `${test.root}/gradlew`]) {
    assert.equal((await test.admits(command)).program, `${test.root}/gradlew`);
  }
  assert.equal((await test.admit({ command: "../gradlew", cwd: "src" })).program, `${test.root}/gradlew`);
  await test.admits("cd src && ../gradlew test");
  await test.admits("for t in a b; do node_modules/.bin/tsc $t; done");
  for (const command of [`${test.outside}/secret`, "../outside/secret", "/root/x"]) await test.refuses(command);
  for (const level of ["bwrap", "none"] as const) {
    await using strict = await testGate({ level });
    assert.match((await strict.refuses("./build.sh")).hint, /Landlock/);
  }
});

Deno.test("a link inside a root runs by its own name, unless what it links to is unsafe", async () => {
  await using test = await testGate();
  await Deno.mkdir(`${test.root}/.venv/bin`, { recursive: true });
  await Deno.symlink("/usr/bin/env", `${test.root}/.venv/bin/python`);
  await Deno.symlink("/usr/bin/dd", `${test.root}/harmless`);
  assert.equal((await test.admits(".venv/bin/python -V")).program, `${test.root}/.venv/bin/python`);
  assert.equal((await test.refuses("./harmless if=a")).message, "dd: unsafe");
});

Deno.test("an allowed program may be named by its path", async () => {
  const env = await Deno.realPath("/usr/bin/env");
  await using test = await testGate({ files: { env } });
  assert.equal((await test.admits("/usr/bin/env")).program, "/usr/bin/env");
  await test.admits("/bin/env python3 x.py");
});

Deno.test("an unsafe program is refused although it is allowed, whatever it is called by", async () => {
  await using test = await testGate({ programs: ["sudo", "bash", "x", "mkfs.ext4"], files: { x: "/usr/sbin/reboot" } });
  for (const command of ["sudo id", "bash -c 'sudo id'", "x now", "mkfs.ext4 x"]) {
    assert.match((await test.refuses(command)).message, /: unsafe$/);
  }
});

Deno.test("an unsafe program runs when the operator allows that, and the command in it is checked", async () => {
  await using test = await testGate({ programs: ["sudo", "ls"], allowUnsafe: true });
  await test.admits("sudo -u nobody ls");
  await test.refuses("sudo -u nobody id");
});

Deno.test("an allowed program that is not installed is told apart, with the folders that were searched", async () => {
  await using test = await testGate({ programs: ["ls", "bash"], missing: ["pytest"] });
  assert.match((await test.refuses("pytest -q")).message, /^pytest: not installed \(searched .*\/usr\/bin/);
  await test.admits("pytest -q || ls"); // the shell says it, and goes on
});

Deno.test("without a shell a plain command runs, and an operator is refused with what to do", async () => {
  await using test = await testGate({ programs: ["ls", "echo"] });
  assert.deepEqual((await test.admits("echo 'a;b' \"c\"")).args, ["a;b", "c"]);
  const error = await test.refuses("ls | echo");
  assert.match(error.message, /'\|'/);
  assert.match(error.hint, /Quote it|bash/);
});

Deno.test("sh serves as the shell when bash is not allowed", async () => {
  await using test = await testGate({ programs: ["sh", "ls", "wc"] });
  assert.equal((await test.admits("ls | wc")).program, "sh");
});

Deno.test("argv is taken as it is, without a shell", async () => {
  await using test = await testGate();
  const { program, args } = await test.admit({ argv: ["echo", "a; b", "$x", "*"] });
  assert.deepEqual([program, ...args], ["echo", "a; b", "$x", "*"]);
});

Deno.test("input that is known is checked when a shell would run it", async () => {
  await using test = await testGate();
  await test.admit({ argv: ["bash"], input: { kind: "text", text: "ls | wc -l" } });
  await test.refuses({ argv: ["bash"], input: { kind: "text", text: "sudo id" } });
  await test.refuses({ argv: ["bash", "-s"], input: { kind: "text", text: "sudo id" } });
  await test.admit({ argv: ["bash"], input: { kind: "session" } });
});

Deno.test("exactly one of command and argv is needed", async () => {
  await using test = await testGate();
  await test.refuses({}, "INVALID_ARGUMENT");
  await test.refuses({ command: "ls", argv: ["ls"] }, "INVALID_ARGUMENT");
});

Deno.test("bounds: arguments, bytes, NUL", async () => {
  await using test = await testGate();
  await test.admit({ argv: ["echo", ...Array(255).fill("x")] });
  await test.refuses({ argv: ["echo", ...Array(256).fill("x")] }, "INVALID_ARGUMENT");
  await test.refuses({ argv: ["echo", "x".repeat(128 * 1024)] }, "INVALID_ARGUMENT");
  await test.refuses({ argv: ["echo", "a\0b"] }, "INVALID_ARGUMENT");
  await test.refuses({ command: "echo a\0b" }, "INVALID_ARGUMENT");
  await test.refuses({ command: "" }, "INVALID_ARGUMENT");
  await test.refuses({ argv: [] });
});

Deno.test("cwd must be a directory inside the roots", async () => {
  await using test = await testGate();
  assert.equal((await test.admit({ command: "ls" })).cwd, test.root);
  assert.equal((await test.admit({ command: "ls", cwd: "src" })).cwd, `${test.root}/src`);
  await Deno.symlink(test.outside, `${test.root}/way-out`);
  for (const cwd of ["..", "/", test.outside, "src/../..", "way-out", "/proc/self/cwd", "~", `${test.root}-evil`]) {
    await test.refuses({ command: "ls", cwd }, "INVALID_PATH");
  }
  await test.refuses({ command: "ls", cwd: "missing" }, "NOT_FOUND");
  await test.refuses({ command: "ls", cwd: "a.txt" }, "NOT_A_DIRECTORY");
});

const OUTSIDE = [
  "cat /etc/shadow",
  "cat ~/.ssh/id_rsa",
  "cat ../outside/secret",
  "cat link",
  "head -n 1 /root/x",
  "grep -f /etc/shadow a.txt",
  "git -C .. status",
  "tar -C / -xf a.tar",
  "cd /root && ls",
  "ls > /root/x",
  "cat < /etc/shadow",
  "source /root/.bashrc",
  "make -C /root",
];

Deno.test("paths outside the roots are the kernel's business where it is the wall", async () => {
  await using test = await testGate();
  for (const command of OUTSIDE) await test.admits(command);
});

Deno.test("paths outside the roots are refused with a clear error where rules are the wall", async () => {
  await using test = await strictGate();
  for (const command of OUTSIDE) await test.refuses(command, "INVALID_PATH");
});

Deno.test("variables are left to the kernel where it is the wall, but for the server's own", async () => {
  await using test = await testGate();
  for (const name of ["LD_PRELOAD", "PATH", "NODE_OPTIONS", "PYTHONPATH", "GIT_SSH_COMMAND", "IFS", "PS4"]) {
    assert.equal((await test.admit({ command: "ls", env: { [name]: "/x" } })).env[name], "/x");
    await test.admits(`export ${name}=/x; ls`);
  }
  await test.refuses({ command: "ls", env: { LLMC_PROC: "x" } });
});

Deno.test("variables that decide what code runs are refused where rules are the wall", async () => {
  await using test = await strictGate();
  const NAMES =
    ("LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES X_PRELOAD PATH BASH_ENV ENV SHELLOPTS PS4 " +
      "PROMPT_COMMAND PYTHONSTARTUP PYTHONHOME PYTHONWARNINGS PYTHONBREAKPOINT PERL5OPT PERL5LIB RUBYOPT NODE_OPTIONS GIT_SSH_COMMAND " +
      "GIT_CONFIG_COUNT GIT_EXEC_PATH GIT_DIR GIT_PAGER SSH_ASKPASS SSH_AUTH_SOCK PAGER MANPAGER EDITOR VISUAL LESSOPEN RIPGREP_CONFIG_PATH " +
      "TAR_OPTIONS GREP_OPTIONS JAVA_TOOL_OPTIONS GCONV_PATH LLMC_PROC BROWSER MAKEFLAGS").split(" ");
  for (const name of NAMES) {
    const error = await test.refuses({ command: "ls", env: { [name]: "/tmp/x" } });
    assert.match(error.message, new RegExp(name));
    await test.refuses(`env ${name}=/tmp/x ls`);
    await test.refuses(`${name}=/tmp/x ls`);
    await test.refuses(`export ${name}=/tmp/x; ls`);
  }
  await test.refuses({ command: "ls", env: { IFS: "x" } });
  await test.refuses({ command: "ls", env: { "BASH_FUNC_ls%%": "() { id; }" } }, "INVALID_ARGUMENT");
  await test.refuses({ command: "ls", env: { "A=B": "x" } }, "INVALID_ARGUMENT");
  await test.refuses({ command: "ls", env: { A: "x\0y" } }, "INVALID_ARGUMENT");
});

Deno.test("ordinary variables are passed on", async () => {
  await using test = await testGate();
  const env = {
    FOO: "1",
    NODE_ENV: "test",
    PYTHONUNBUFFERED: "1",
    CI: "true",
    GIT_AUTHOR_NAME: "x",
    PAGER: "cat",
    LC_ALL: "C",
  };
  const admitted = await test.admit({ command: "ls", env });
  for (const [name, value] of Object.entries(env)) assert.equal(admitted.env[name], value);
  await test.admit({ command: "pytest", env: { PYTHONPATH: "src:lib" } });
  await using strict = await strictGate();
  await strict.admit({ command: "pytest", env: { PYTHONPATH: "src:lib" } });
  await strict.refuses({ command: "pytest", env: { PYTHONPATH: "src:/root/evil" } }, "INVALID_PATH");
});

Deno.test("git never waits for a person, and hooks and monitors run only where something confines them", async () => {
  await using test = await testGate();
  const { env } = await test.admits("git status");
  assert.equal(env.GIT_TERMINAL_PROMPT, "0");
  assert.equal(env.GIT_CONFIG_COUNT, undefined);
  await using bare = await testGate({ level: "none", confinement: "best_effort" });
  const unconfined = Object.entries((await bare.admits("git status")).env);
  const settings = unconfined.filter(([name]) => name.startsWith("GIT_CONFIG_KEY_")).map(([, value]) => value);
  assert.deepEqual(settings, ["core.fsmonitor", "core.hooksPath", "protocol.ext.allow"]);
});

Deno.test("what is shown of a command has its secrets masked", async () => {
  await using test = await testGate();
  const { shown } = await test.admits("python3 x.py --password=hunter2 --token abcdef");
  assert.equal(shown, "python3 x.py --password=*** --token ***");
  assert.equal((await test.admits("ls | grep -e --token=hunter2")).shown, "ls | grep -e --token=***");
});

Deno.test("the program whose exit code is reported is found in a shell line", async () => {
  await using test = await testGate();
  for (
    const [command, reports] of [["grep x a.txt", "grep"], ["ls | grep x", "grep"], ["cd src && git diff", "git"], [
      "env grep x a.txt",
      "grep",
    ], [
      "bash -c 'diff a.txt src/b.ts'",
      "diff",
    ], ["egrep x a.txt", "egrep"]] as const
  ) {
    await using own = command.startsWith("egrep") ? await testGate({ programs: ["egrep"] }) : null;
    assert.equal((await (own ?? test).admits(command)).reports, reports, command);
  }
});
