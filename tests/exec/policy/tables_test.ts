/** Every entry of the tables of builtins, variables and wrappers. @module */
import assert from "node:assert/strict";
import { strictGate } from "./gate_support.ts";

const wordsOf = (text: string) => text.trim().split(/\s+/);

Deno.test("builtins that cannot start a program are free", async () => {
  await using test = await strictGate({ programs: ["bash", "ls"] });
  const free =
    ": true false echo printf test pwd dirs set shift return exit break continue wait times type umask ulimit " +
    "kill jobs fg bg disown caller help shopt unalias popd let";
  for (const name of wordsOf(free)) await test.admits(`${name} x; ls`);
  await test.admits("[ x ]; [[ x ]]; ls");
});

Deno.test("builtins that export variables are looked at", async () => {
  await using test = await strictGate({ programs: ["bash", "ls"] });
  for (const name of wordsOf("export readonly local declare typeset")) {
    assert.match((await test.refuses(`${name} PATH=x; ls`)).message, /the variable PATH may not be set/, name);
    await test.admits(`${name} other; ls`);
  }
  await test.refuses("declare -x PS4=x; ls");
  await test.admits("declare -i n=1; read -n 1 x; printf -v text x; export A=b; ls");
});

Deno.test("builtins that run what cannot be seen are refused", async () => {
  await using test = await strictGate({ programs: ["bash", "ls"] });
  for (const name of wordsOf("alias bind compgen complete compopt enable fc hash history")) {
    assert.match((await test.refuses(`${name} x; ls`)).message, new RegExp(`^${name}: `));
  }
});

Deno.test("builtins whose words are commands have them checked", async () => {
  await using test = await strictGate({ programs: ["bash", "ls"] });
  for (
    const command of [
      "command sudo",
      "builtin sudo",
      "exec sudo",
      "exec -a x sudo",
      "eval sudo",
      "trap sudo EXIT",
      "command -p sudo",
    ]
  ) {
    assert.match((await test.refuses(`${command}; ls`)).message, /sudo/, command);
  }
  for (
    const command of [
      "command ls",
      "command -v sudo",
      "command -V sudo",
      "exec ls",
      "eval ls",
      "trap - EXIT",
      "trap ls EXIT",
      "exec 2>&1",
      "eval ''",
    ]
  ) {
    await test.admits(`${command}; ls`);
  }
  for (const command of ['eval "$X"', 'trap "$X" EXIT']) {
    await test.refuses(`${command}; ls`);
  }
  await test.admits("source ./a.txt; . src/b.ts; ls");
  for (const command of ["cd /root", "pushd /root", "source /root/x", ". /root/x"]) {
    await test.refuses(`${command}; ls`, "INVALID_PATH");
  }
  await test.admits("cd -; pushd -n src; ls");
});

/** Variables that may not be set for a program, and those that may not even be set for the shell itself. */
const REFUSED =
  "IFS CDPATH GLOBIGNORE PYTHONHOME PYTHONHASHSEEDX PYTHONX PERL5LIB PERL5OPT PERLLIB RUBYOPT RUBYLIB NODE_OPTIONS " +
  "LUA_INIT LUA_INIT_5_3 AWKPATH AWKLIBPATH JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS GIT_DIR GIT_AUTHOR_NAMES " +
  "SSH_ASKPASS PAGER GIT_PAGER MANPAGER BROWSER LESSOPEN LESSCLOSE EDITOR VISUAL FCEDIT SUDO_EDITOR RIPGREP_CONFIG_PATH " +
  "TAR_OPTIONS GREP_OPTIONS GREP_COLOR GREP_COLORS GZIP ZIPOPT MAKEFLAGS MAKEFILES GNUMAKEFLAGS RSYNC_RSH CVS_RSH SVN_SSH " +
  "RUSTC_WRAPPER CARGO_BUILD_RUSTC_WRAPPER npm_config_script_shell npm_config_shell npm_config_git";
const REFUSED_TO_THE_SHELL =
  "LD_PRELOAD LD_PYTHONUTF8 LD_GIT_AUTHOR_NAME DYLD_X X_PRELOAD GCONV_PATH GLIBC_TUNABLES LOCPATH PATH BASH_ENV ENV ZDOTDIR INPUTRC " +
  "SHELLOPTS BASHOPTS PS0 PS1 PS4 PROMPT_COMMAND BASH_LOADABLES_PATH BASH_XTRACEFD BASH_FUNC_x BASH_ALIASES BASH_CMDS LLMC_X";
/** Names near those that are refused. */
const FREE =
  "PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONIOENCODING PYTHONUTF8 PYTHONFAULTHANDLER PYTHONNOUSERSITE " +
  "PYTHONASYNCIODEBUG PYTHON PYTHON3 MYPYTHONX GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL " +
  "GIT_COMMITTER_DATE XLD_X GCONV_PATHS XGCONV_PATH GLIBC_TUNABLESX LOCPATHS MYPATH PATHS XIFS IFSX XENV ENVX BASH_ENVX XSHELLOPTS PS5 " +
  "PS10 PROMPT_COMMANDS PYTHONPATHS_X XNODE_PATH XPERL5LIB XJAVA_TOOL_OPTIONS JAVA_TOOL_OPTIONSX XGIT_DIR XSSH_X PAGERX XBROWSER " +
  "BROWSERX LESSOPENX XEDITOR EDITORX VISUALX XTAR_OPTIONS TAR_OPTIONSX GZIPX XGZIP SVN_SSHX XSVN_SSH XRUSTC_WRAPPER RUSTC_WRAPPERX XLLMC_X";

Deno.test("variables that decide what code runs are refused", async () => {
  await using test = await strictGate({ programs: ["bash", "ls", "env"] });
  for (const name of wordsOf(`${REFUSED} ${REFUSED_TO_THE_SHELL}`)) {
    const refusal = new RegExp(`^the variable ${name} may not be set: `);
    assert.match((await test.refuses({ command: "ls", env: { [name]: "x" } })).message, refusal);
    assert.match((await test.refuses(`export ${name}=x; ls`)).message, refusal);
    assert.match((await test.refuses(`env ${name}=x ls`)).message, refusal);
    if (name !== "IFS") assert.match((await test.refuses(`${name}=x; ls`)).message, refusal);
  }
  for (const name of wordsOf(FREE)) {
    await test.admit({ command: "ls", env: { [name]: "x" } });
    await test.admits(`export ${name}=x; ls`);
  }
});

Deno.test("values that start nothing are free all the same", async () => {
  await using test = await strictGate();
  const free: Readonly<Record<string, string>> = {
    GIT_PAGER: "cat true : ''",
    GIT_EDITOR: "cat true : ''",
    PAGER: "cat ''",
    MANPAGER: "cat ''",
    EDITOR: "cat true : ''",
    VISUAL: "cat true : ''",
  };
  for (const [name, values] of Object.entries(free)) {
    for (const value of values.split(" ")) await test.admits(`${name}=${value} ls`);
    for (const value of ["xcat", "catx", "less", "a:"]) await test.refuses(`${name}=${value} ls`);
  }
  for (const value of ["true", ":"]) await test.refuses(`PAGER=${value} ls`);
});

Deno.test("folders that code is loaded from lie in the roots, and nowhere where nothing confines programs", async () => {
  await using test = await strictGate();
  await using bare = await strictGate({ level: "none", confinement: "best_effort" });
  for (const name of ["PYTHONPATH", "NODE_PATH"]) {
    for (const value of ["src", "src:lib", ":src:", ""]) {
      await test.admit({ command: "ls", env: { [name]: value } });
      await test.admits(`env ${name}=${value} ls`);
    }
    await test.admits(`${name}=src ls`);
    await test.admits(`export ${name}="$X"; ls`);
    for (const value of ["/root/x", "src:/root/x"]) {
      await test.refuses({ command: "ls", env: { [name]: value } }, "INVALID_PATH");
      await test.refuses(`env ${name}=${value} ls`, "INVALID_PATH");
      await test.refuses(`${name}=${value} ls`, "INVALID_PATH");
    }
    await bare.refuses({ command: "ls", env: { [name]: "src" } });
  }
  for (const name of ["1A", "A-B", "", "A B", "Ä"]) {
    await test.refuses({ command: "ls", env: { [name]: "x" } }, "INVALID_ARGUMENT");
  }
});

Deno.test("values of options are no options, however they begin", async () => {
  const lines = `
wget --output-document --use-askpass x|wget --input-file --use-askpass x|wget --config --use-askpass x
curl --output --unix-socket x|curl --config --unix-socket x|curl --upload-file --unix-socket x|curl --form --unix-socket x
curl --data --unix-socket x|curl --netrc-file --unix-socket x|curl --cookie --unix-socket x|make --eval -C/root/x
git clone http://x/y::z new|git fetch --exec-path origin
  `.trim().split(/[|\n]/);
  await using test = await strictGate({ more: ["wget", "curl", "make", "git"] });
  for (const line of lines) await test.admit({ argv: line.split(" ") });
});

Deno.test("where nothing confines programs, no argument may be unknown that could start one, and no value may lead out", async () => {
  await using bare = await strictGate({ level: "none", confinement: "best_effort", more: ["fd", "hexdump"] });
  for (
    const command of [
      'rg "$X" a.txt',
      'fd "$X"',
      'find "$X"',
      'git "$X"',
      'sort "$X"',
      'sed -n p "$X"',
      'awk 1 "$X"',
      'git log "$X"',
      'find . "$X"',
    ]
  ) {
    await bare.refuses(`${command}; ls`);
  }
  for (const command of ['cat "$X"', 'ls "$X"', 'rg "a$X" a.txt']) await bare.admits(`${command}; ls`);
  for (const value of ["/etc/passwd", "link", "..", "../outside/secret", "~/x", "src/../../x", "src/../.."]) {
    await bare.refuses({ argv: ["hexdump", "-f", value, "a.txt"] }, "INVALID_PATH");
    await bare.refuses({ argv: ["ls", `--color=${value}`] }, "INVALID_PATH");
  }
  await bare.admit({ argv: ["hexdump", "-f", "src/b.ts", "-n", "5", "a.txt"] });
});

Deno.test("an option that names a program needs one, and a plain one", async () => {
  await using test = await strictGate({ more: ["fd", "tar", "gzip"] });
  for (
    const argv of [["fd", "x", "-x"], ["fd", "x", "-x", ""], ["fd", "x", "-x", "ls | cat"], [
      "tar",
      "-I",
      "gzip | cat",
      "-cf",
      "a",
    ]]
  ) {
    assert.match((await test.refuses({ argv })).message, /must be a plain command/, argv.join(" "));
  }
  await test.refuses('fd x -x "$X"; ls');
  await test.admit({ argv: ["fd", "x", "-x", "ls -l"] });
  await test.admit({ argv: ["tar", "-I", "gzip -9", "-cf", "a.tgz", "src"] });
});
