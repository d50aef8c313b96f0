import assert from "node:assert/strict";
import { testGate } from "./gate_support.ts";

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
  "printf '%s\\n' a b",
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
    await using test = await testGate({ more: ["xargs", "timeout", "nice"] });
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
  env: "env sudo id",
  "env with a variable": "env A=1 sudo id",
  "bash -c": "bash -c 'sudo id'",
  "nested shells": `bash -c "sh -c 'sudo id'"`,
  xargs: "echo id | xargs sudo",
  "xargs with a placeholder": "echo sudo | xargs -I{} {} id",
  "xargs to env": "echo sudo id | xargs env",
  "xargs to a shell": "echo -c id | xargs bash",
  glob: "/usr/bin/sud? id",
  "glob without a path": "sud* id",
  variable: "A=sudo; $A id",
  "quoted variable": 'A=sudo; "$A" id',
  "split variable": "A=su; ${A}do id",
  braces: "{sudo,id}",
  "brace expansion in the name": "su{do,x} id",
  then: "if true; then sudo id; fi",
  eval: "eval sudo id",
  "eval of a variable": 'A="sudo id"; eval $A',
  "process substitution": "cat <(sudo id)",
  "command substitution": "echo $(sudo id)",
  backticks: "echo `sudo id`",
  "substitution in quotes": 'echo "x $(sudo id) y"',
  "substitution in a default": "echo ${x:-$(sudo id)}",
  "substitution in arithmetic": "echo $(( $(sudo id) + 1 ))",
  "substitution in an index": "a[$(sudo id)]=1; ls",
  "index in a quoted number": "x='a[$(sudo id)]'; echo $((x))",
  "index in a test": "[[ -v 'a[$(sudo id)]' ]]; ls",
  "substitution in a here-document": "cat <<EOF\n$(sudo id)\nEOF",
  "substitution in a redirection": "ls > $(sudo id)",
  "substitution in an assignment": "x=$(sudo id) ls",
  "substitution in an export": "export X=$(sudo id); ls",
  "substitution in a case": "case x in $(sudo id)) ls;; esac",
  "absolute path": "/usr/bin/sudo id",
  "relative path": "../usr/bin/sudo id",
  "path in a shell": "ls; /usr/bin/sudo id",
  pipe: "echo id | sudo sh",
  "script by pipe": "echo 'sudo id' | bash",
  "script by pipe and -s": "echo 'sudo id' | sh -s",
  "script by here-document": "bash <<EOF\nsudo id\nEOF",
  "script by here-document and pipe": "cat <<EOF | bash\nsudo id\nEOF",
  "script by here-string": "bash <<< 'sudo id'",
  "script by redirection": "bash < <(echo sudo id)",
  background: "ls & sudo id",
  "and-or": "false || sudo id",
  negation: "! sudo id",
  time: "time sudo id",
  subshell: "(sudo id)",
  group: "{ sudo id; }",
  loop: "for i in 1; do sudo id; done",
  "while condition": "while sudo id; do :; done",
  function: "f() { sudo id; }; f",
  "function of the same name that is not defined": "if false; then sudo() { :; }; fi; sudo id",
  "function defined in a subshell": "(sudo() { :; }); sudo id",
  "function defined in the background": "sudo() { :; } & sudo id",
  "function defined later": "sudo id; sudo() { :; }",
  "function that is unset": "sudo() { :; }; unset -f sudo; sudo id",
  "function that is unset like a variable": "sudo() { :; }; unset sudo; sudo id",
  "function that is unset by a variable": 'sudo() { :; }; x=sudo; unset "$x"; sudo id',
  "command builtin": "command sudo id",
  "builtin exec": "exec sudo id",
  "exec with a name": "exec -a ls sudo id",
  alias: "alias ls='sudo id'; ls",
  hash: "hash -p /usr/bin/sudo ls; ls id",
  trap: "trap 'sudo id' EXIT; ls",
  "trap of a variable": 'trap "$X" EXIT',
  coproc: "coproc sudo id",
  "path variable": "PATH=/tmp:$PATH; ls",
  "path before a command": "PATH=/tmp ls",
  "path by export": "export PATH=/tmp; ls",
  "path by read": "read PATH <<< /tmp; ls",
  "path by printf": "printf -v PATH /tmp; ls",
  "path by for": "for PATH in /tmp; do ls; done",
  "path by default": ": ${PATH:=/tmp}; ls",
  "path by arithmetic": "((PATH=1)); ls",
  "path by declare": "declare PATH=/tmp; ls",
  "path by nameref": "declare -n p=PATH; p=/tmp; ls",
  "path by mapfile": "mapfile PATH < a.txt; ls",
  "path by unset": "unset PATH; ls",
  "path by getopts": "getopts a PATH; ls",
  "path by let": "let PATH=1; ls",
  "startup file": "BASH_ENV=x bash -c ls",
  "trace prompt": "PS4='$(sudo id)'; set -x; ls",
  "prompt expansion": "x='$(sudo id)'; echo ${x@P}",
  "mapfile callback": "mapfile -C 'sudo id' -c 1 x < a.txt",
  "behind a redirection": "env > o sudo id",
  "behind a copied descriptor": "env 2>&1 sudo id",
  "behind a closed descriptor": "env >&- sudo id",
  "behind several redirections": "env > o -i > p sudo id",
  "behind a here-document": "env <<EOF sudo id\nx\nEOF",
  "behind a here-document's redirection": "env <<EOF > o sudo id\nx\nEOF",
  "behind a here-string": "env <<< x sudo id",
  "behind the redirection of xargs": "echo id | xargs > o sudo",
  "before the command, redirections": "> o sudo id",
  "assignment behind a redirection": "export A=1 > o PATH=/tmp; ls",
  "inside brackets, after a pipe": "[ -f x|sudo ]",
  "inside brackets, after an ampersand": "[ -f x& sudo id ]",
  "inside brackets, on a line": "[\nsudo id\n -f x ]",
  "after brackets that are operators": "[ -f x && sudo id ]",
  "after an empty continued line": "ls\n\\\nsudo id",
  "after a carriage return": "ls \\\r\nsudo id",
  "script from the path": "bash sudo",
  "script from the path behind a dash": "bash - sudo id",
  "between a dollar and a name": "i=$\nsudo\n((i+1)); ls",
  "behind an empty assignment": "i=\nsudo id",
  "options that are not literal": "bash -$@c 'sudo id'",
  "an option that is not literal": "X=-c; bash -o pipefail $X 'sudo id'",
  "an expansion that holds the command": "T='5 sudo'; timeout $T ls",
  "an expansion that holds options of a wrapper": "X='-u A sudo'; env -u $X ls",
  "options that an expansion continues": "bash -e$X 'sudo id'",
  "substitution inside double brackets": '[[ "$a"<(sudo id) == x ]] && ls',
  "source from the path": "source sudo",
  "source from the path by its short name": ". sudo",
  "comment that is none": "echo a#; sudo id",
  "hidden in a here-document end": "cat <<'E F'\nE F\nsudo id",
  find: "find . -exec sudo id ;",
  "find in a shell": "find . -exec sudo {} \\;",
  "find with a placeholder": "find . -exec {} \\;",
  "find to a shell": "find . -exec bash -c 'sudo id' \\;",
  timeout: "timeout 5 sudo id",
  "nested wrappers": "env nice -n 5 sudo id".replace("nice -n 5", "env -u X"),
  "full-width letters": "ｓudo id",
  "look-alike letters": "sudо id",
  "upper case": "SUDO id",
  tab: "ls;\tsudo\tid",
  "git alias": "git -c alias.x='!sudo id' x",
  "git bisect": "git bisect run sudo id",
  "git rebase": "git rebase -x 'sudo id' HEAD~1",
  "git submodule": "git submodule foreach 'sudo id'",
  unparsable: "if ls; then sudo id",
};

for (const [name, command] of Object.entries(SPELLINGS)) {
  Deno.test(`a forbidden program is refused as: ${name}`, async () => {
    await using test = await testGate({
      programs: ["bash", "sh", "ls", "cat", "echo", "find", "env", "xargs", "git", "grep", "timeout"],
    });
    await test.refuses(command);
  });
}

Deno.test("an unsafe program is refused although it is allowed, and the setting is named", async () => {
  await using test = await testGate({ programs: ["sudo", "bash", "x", "mkfs.ext4"], files: { x: "/usr/sbin/reboot" } });
  for (const command of ["sudo id", "bash -c 'sudo id'", "x now", "mkfs.ext4 x"]) {
    assert.match((await test.refuses(command)).hint, /unsafe_binaries.*allow_unsafe/);
  }
});

Deno.test("an unsafe program runs when the operator allows that, and the command in it is checked", async () => {
  await using test = await testGate({ programs: ["sudo", "ls"], allowUnsafe: true });
  await test.admits("sudo -u nobody ls");
  await test.refuses("sudo -u nobody id");
});

Deno.test("a refusal names the word, and what is allowed", async () => {
  await using test = await testGate({ programs: ["bash", "ls"] });
  const error = await test.refuses("ls | nc -l 80");
  assert.match(error.message, /'nc'/);
  assert.match(error.hint, /bash ls.*run_cmd_allowlist/);
});

Deno.test("an allowed program that is not installed is told apart", async () => {
  await using test = await testGate({ programs: ["ls"], missing: ["pytest"] });
  assert.match((await test.refuses("pytest -q")).message, /not installed/);
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

Deno.test("an operand outside the roots is refused with a clear error", async () => {
  await using test = await testGate();
  for (
    const command of [
      "cat /etc/shadow",
      "cat ~/.ssh/id_rsa",
      "cat ../outside/secret",
      "cat link",
      "cat ~root/.profile",
      "cat ~",
      "head -n 1 /root/x",
      "grep x /etc/shadow",
      "grep -f /etc/shadow a.txt",
      "rg x /root",
      "ls ..",
      "diff a.txt /etc/shadow",
      "cat /usr/../etc/shadow",
      "git -C .. status",
      "git --git-dir=/root/x log",
      "tar -C / -xf a.tar",
      "cd /root && ls",
      "ls > /root/x",
      "cat < /etc/shadow",
      "python3 -c 1; cat /etc/shadow",
      "source /root/.bashrc",
      "bash /root/x.sh",
      "make -C /root",
    ]
  ) {
    await test.refuses(command, "INVALID_PATH");
  }
});

Deno.test("variables that decide what code runs are refused, with a reason", async () => {
  await using test = await testGate();
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
  await test.refuses("env IFS=x ls");
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
  await test.refuses({ command: "pytest", env: { PYTHONPATH: "src:/root/evil" } }, "INVALID_PATH");
});

Deno.test("git runs without the machine's settings, hooks and monitors", async () => {
  await using test = await testGate();
  const { env } = await test.admits("git status");
  assert.equal(env.GIT_CONFIG_NOSYSTEM, "1");
  assert.equal(env.GIT_CONFIG_GLOBAL, "/dev/null");
  const settings = Object.entries(env).filter(([name]) => name.startsWith("GIT_CONFIG_KEY_")).map(([, value]) => value);
  assert.deepEqual(settings, ["core.fsmonitor", "core.hooksPath", "protocol.ext.allow", "safe.directory"]);
  await test.refuses("GIT_CONFIG_VALUE_0=/tmp/x; git status");
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
    ], ["egrep x a.txt", "grep"]] as const
  ) {
    await using own = command.startsWith("egrep") ? await testGate({ programs: ["egrep"] }) : null;
    assert.equal((await (own ?? test).admits(command)).reports, reports, command);
  }
});
