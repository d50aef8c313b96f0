/**
 * The user's programs through the executable: tool chains, home directory, git, and notes about the sandbox.
 * @module
 */
import assert from "node:assert/strict";
import { PROGRAM_SETS } from "../../src/config/program_sets.ts";
import { Sandbox, TEST_BINARY } from "../support/binary.ts";
import { eventually } from "../support/eventually.ts";
import { BUBBLEWRAP, needing } from "../support/needs.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

const GIT_CONFIG = `[user]
  name = Ann Example
  email = ann@example.org
[init]
  defaultBranch = trunk
[alias]
  st = status
[credential]
  helper = store
`;

/** A tool chain as version managers install them: a program and its libraries below the home directory. */
async function install(sandbox: Sandbox, home: string, name: string): Promise<string> {
  const prefix = `${sandbox.dir}/home/${home}`;
  await Deno.mkdir(`${prefix}/bin`, { recursive: true });
  await Deno.mkdir(`${prefix}/lib`);
  await Deno.writeTextFile(`${prefix}/lib/word`, `${name} of ${home}\n`);
  const script = `#!/bin/sh\ncat "$(dirname "$(readlink -f "$0")")/../lib/word"\n`;
  await Deno.writeTextFile(`${prefix}/bin/${name}`, script, { mode: 0o755 });
  return `${prefix}/bin`;
}

interface Session extends AsyncDisposable {
  readonly sandbox: Sandbox;
  run(command: string, args?: Readonly<Record<string, unknown>>): Promise<string>;
}

async function open(
  { level = "full", settings = [], env = {}, prepare }: {
    level?: string;
    settings?: readonly string[];
    env?: Record<string, string>;
    prepare?: (sandbox: Sandbox) => Promise<Record<string, string>>;
  } = {},
): Promise<Session> {
  const sandbox = await Sandbox.make();
  await Deno.writeTextFile(`${sandbox.dir}/home/.gitconfig`, GIT_CONFIG);
  await Deno.writeTextFile(`${sandbox.dir}/home/.netrc`, "password of the home\n");
  const more = await prepare?.(sandbox) ?? {};
  const peer = await StdioPeer.open(sandbox, {
    binary: TEST_BINARY,
    args: settings.flatMap((setting) => ["--set", setting]),
    env: { LLMC_TEST_LEVEL: level, ...env, ...more },
  });
  return {
    sandbox,
    async run(command, args = {}) {
      const frame = await peer.request("tools/call", { name: "run_cmd", arguments: { command, ...args } });
      const { content: [first] } = frame.result as { content: { text: string }[] };
      return first?.text ?? "";
    },
    async [Symbol.asyncDispose]() {
      await peer[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

const CHAINS: Readonly<Record<string, string>> = {
  ".nvm/versions/node/v22.1.0": "node",
  ".pyenv/versions/3.13.1": "python3",
  ".cargo": "cargo",
  ".local/share/uv/tools/ruff": "ruff",
  "tools/go-1.23": "go",
};

for (const level of ["full", "landlock"]) {
  Deno.test(`tool chains outside /usr run, and nothing else of the home directory is there (${level})`, async () => {
    await using session = await open({
      level,
      prepare: async (sandbox) => {
        const folders = await Promise.all(
          Object.entries(CHAINS).map(([home, name]) => install(sandbox, home, name)),
        );
        await Deno.writeTextFile(`${sandbox.dir}/home/.cargo/credentials.toml`, "token of cargo\n");
        return { PATH: [...folders, "/usr/bin", "/bin"].join(":") };
      },
    });
    const { sandbox, run } = session;
    for (const [home, name] of Object.entries(CHAINS)) {
      // Of cargo's home only the programs are visible: its other files hold credentials.
      if (home !== ".cargo") assert.match(await run(name), new RegExp(`^${name} of ${home}`));
    }
    assert.match(await run("command -v cargo"), /home\/\.cargo\/bin\/cargo/);
    for (const file of [".netrc", ".gitconfig", ".cargo/credentials.toml"]) {
      const text = await run(`cat ${sandbox.dir}/home/${file}`);
      assert.doesNotMatch(text, /password of|helper = store|^token of cargo$/m);
    }
    assert.match(
      await run(`echo x > ${sandbox.dir}/home/.nvm/versions/node/v22.1.0/lib/word`),
      /exit 1|denied|Read-only/,
    );
  });
}

Deno.test("a virtual environment runs with the interpreter that it was made with, and so do programs of node_modules", async () => {
  await using session = await open({
    prepare: async (sandbox) => ({
      PATH: `${await install(sandbox, ".pyenv/versions/3.13.1", "python3")}:/usr/bin:/bin`,
    }),
  });
  const { sandbox, run } = session;
  await run(
    `mkdir -p .venv/bin node_modules/.bin && ln -s ${sandbox.dir}/home/.pyenv/versions/3.13.1/bin/python3 .venv/bin/python`,
  );
  await sandbox.write("node_modules/tsc/cli.js", "#!/bin/sh\necho compiled $1\n");
  await run("chmod +x node_modules/tsc/cli.js && ln -s ../tsc/cli.js node_modules/.bin/tsc");
  assert.match(await run(".venv/bin/python"), /^python3 of \.pyenv/);
  assert.match(await run("node_modules/.bin/tsc a.ts"), /^compiled a\.ts/);
  assert.match(await run("cd node_modules && for name in a b; do .bin/tsc $name; done"), /compiled a\ncompiled b/);
});

Deno.test("PATH comes from the login shell where the server was started with a bare one", async () => {
  await using session = await open({
    prepare: async (sandbox) => {
      const bin = await install(sandbox, ".nvm/versions/node/v22.1.0", "node");
      const shell = `${sandbox.dir}/login-shell`;
      await Deno.writeTextFile(
        shell,
        `#!/bin/sh\necho noise\nPATH=${bin}:/usr/bin:/bin\nexport PATH\nexec /bin/sh -c "$4"\n`,
        {
          mode: 0o755,
        },
      );
      return { PATH: "/usr/bin:/bin", SHELL: shell };
    },
  });
  assert.match(await session.run("node"), /^node of \.nvm/);
});

Deno.test("variables pass by name, and never what looks like a secret", async () => {
  await using session = await open({
    settings: ["mcp.tools.pass_env=CI,TZ,LC_*,HTTPS_PROXY,MY_TOKEN,GOPATH,PLAIN"],
    env: {
      CI: "true",
      TZ: "Asia/Tokyo",
      LC_TIME: "C",
      MY_TOKEN: "x1",
      HTTPS_PROXY: "http://user:hidden@127.0.0.1:1",
      GOPATH: "/home/ann/go",
      PLAIN: "ghp_0123456789abcdefghijABCDEFGHIJ",
      OTHER: "not listed",
    },
  });
  const text = await session.run("env | sort");
  for (const line of ["CI=true", "TZ=Asia/Tokyo", "LC_TIME=C"]) assert.ok(text.includes(line), text);
  assert.doesNotMatch(text, /MY_TOKEN|hidden|GOPATH|ghp_|OTHER/);
});

Deno.test("the private home keeps caches between calls and starts, within a cap", async () => {
  const sandbox = await Sandbox.make();
  const home = `${sandbox.dir}/state/llmc-mcp/home`;
  const start = () =>
    StdioPeer.open(sandbox, { binary: TEST_BINARY, args: ["--set", "mcp.tools.home_max_bytes=1048576"] });
  {
    await using peer = await start();
    const run = (command: string) => peer.request("tools/call", { name: "run_cmd", arguments: { command } });
    await run(
      "mkdir -p ~/.cache/pip && head -c 900000 /dev/zero > ~/.cache/pip/old && touch -a -d '2 days ago' ~/.cache/pip/old",
    );
    await run("head -c 900000 /dev/zero > ~/.cache/pip/new; ln -s /etc ~/.cache/etc");
    assert.match(JSON.stringify(await run("ls ~/.cache/pip")), /new\\nold/);
    const read = await peer.request("tools/call", { name: "linux_fs_read", arguments: { path: `${home}/.gitconfig` } });
    assert.match(JSON.stringify(read), /INVALID_PATH/);
  }
  {
    await using peer = await start();
    await eventually(async () =>
      assert.deepEqual((await Array.fromAsync(Deno.readDir(`${home}/.cache/pip`))).map(({ name }) => name), ["new"])
    );
    assert.ok((await Deno.stat("/etc/passwd")).isFile);
    assert.match(
      JSON.stringify(await peer.request("tools/call", { name: "run_cmd", arguments: { command: "cat ~/.gitconfig" } })),
      /safe/,
    );
  }
  await sandbox[Symbol.asyncDispose]();
});

Deno.test("git commits as the user, without the user's aliases and credentials, and a failing hook stops it", async () => {
  await using session = await open();
  const { run, sandbox } = session;
  await run("git init -q && git commit -q --allow-empty -m first");
  assert.match(await run("git log --format='%an %ae %D'"), /^Ann Example ann@example\.org HEAD -> trunk/);
  assert.doesNotMatch(await run("git config --list"), /alias|credential/);
  // Hooks are guarded: the user puts them there, not a program of the model's.
  const hook = async (path: string) => {
    await sandbox.write(path, "#!/bin/sh\necho lint failed: line 3\nexit 1\n");
    await Deno.chmod(`${sandbox.root}/${path}`, 0o755);
  };
  await hook(".git/hooks/pre-commit");
  const refused = await run("git commit --allow-empty -m second");
  assert.match(refused, /lint failed: line 3/);
  assert.match(refused, /exit 1/);
  assert.equal((await run("git log --oneline | wc -l")).trim(), "1");
  await hook("hooks/pre-commit");
  // A folder of hooks as well: what a program sets there is taken out again.
  const config = await Deno.readTextFile(`${sandbox.root}/.git/config`);
  const hooksPath = (path: string) => sandbox.write(".git/config", `${config}[core]\n\thooksPath = ${path}\n`);
  assert.match(await run("git config core.hooksPath hooks"), /core\.hookspath in \.git\/config/i);
  assert.equal(await Deno.readTextFile(`${sandbox.root}/.git/config`), config);
  await hooksPath("hooks");
  assert.match(await run("git commit --allow-empty -m third"), /lint failed/);
  assert.match(await run("git config core.hooksPath"), /^hooks/);
  await hooksPath("/srv/hooks-of-all");
  assert.match(
    await run("git commit --allow-empty -m fourth"),
    /\[hooks not run: \/srv\/hooks-of-all is outside the roots\]/,
  );
});

Deno.test("hooks that nothing would confine do not run, and the result says so", async () => {
  await using session = await open({ level: "none", settings: ["mcp.tools.confinement=best_effort"] });
  const { run, sandbox } = session;
  await run("git init -q");
  await sandbox.write(".git/hooks/pre-commit", "#!/bin/sh\ntouch ran\n");
  await Deno.chmod(`${sandbox.root}/.git/hooks/pre-commit`, 0o755);
  assert.match(await run("git commit --allow-empty -m x"), /hooks not run: pre-commit/);
  assert.doesNotMatch(await run("ls"), /ran/);
});

Deno.test(needing("/tmp stays for a session, /run and /var/tmp are there, and rg is", BUBBLEWRAP), async () => {
  await using session = await open();
  const { run } = session;
  await run("echo kept > /tmp/file; mkdir /tmp/dir");
  assert.match(await run("cat /tmp/file; ls -d /tmp/dir /run /var/tmp"), /^kept\n\/run\n\/tmp\/dir\n\/var\/tmp/);
  assert.match(await run("echo abc | rg -o b"), /^b/);
  assert.match(await run("echo abc | xargs -I{} rg --version"), /ripgrep \d+/);
});

Deno.test("a path that the sandbox hides is said to be outside, and not merely missing", async () => {
  await using session = await open();
  assert.match(
    await session.run("cat /srv/x ../y"),
    /\[exit 1 · \/srv\/x is outside the roots: programs do not see it\]/,
  );
  assert.doesNotMatch(await session.run("cat missing /usr/missing"), /outside/);
});

Deno.test(needing("programs that look at the machine say that they see the sandbox", BUBBLEWRAP), async () => {
  await using session = await open();
  const { run } = session;
  assert.match(await run("ps aux"), /\[ps sees only the sandbox; the machine: linux_proc_list\]/);
  assert.match(await run("free -m"), /\[the machine with its limits: linux_sys_info memory\]/);
  assert.match(await run("df -h"), /\[df sees only the sandbox; the machine: linux_sys_info disk\]/);
  for (const command of ["df .", "df -h . | tail -1", "df -k . ; df ."]) {
    assert.doesNotMatch(await run(command), /sees only the sandbox/, command); // these figures are the machine's
  }
  assert.match(await run("df . /usr"), /df sees only the sandbox/);
  assert.match(
    await run("ps; df"),
    /\[ps, df see only the sandbox; the machine: linux_proc_list, linux_sys_info disk\]/,
  );
  assert.doesNotMatch(await run("ls"), /sandbox/);
});

Deno.test(
  needing("a program that names owners as the sandbox sees them says where the real ones are", BUBBLEWRAP),
  async () => {
    await using session = await open();
    const { run, sandbox } = session,
      note = /\[owners other than the server's user appear as nobody; the owner: linux_fs_stat\]/;
    await sandbox.write("mine.txt", "x");
    assert.doesNotMatch(await run("ls -l mine.txt"), note);
    if (Deno.uid() === 0) await Deno.chown(`${sandbox.root}/mine.txt`, 12_345, 12_345);
    // The system's folders are the superuser's: another user's, unless the server is the superuser's.
    const theirs = Deno.uid() === 0 ? "mine.txt" : "/usr/bin";
    assert.match(await run(`ls -ld ${theirs}`), note);
    assert.match(await run(`stat -c '%u:%g' ${theirs}`), note);
  },
);

Deno.test("at least 75 everyday programs are accepted; each is there or said not to be installed", async () => {
  await using session = await open();
  const names = (PROGRAM_SETS["@developer"] ?? []).filter((name) => name !== "sudo");
  const refused: string[] = [];
  let installed = 0;
  // One call for all: a name that the list refuses would refuse it.
  const text = await session.run(
    names.map((name) => `command -v ${name} >/dev/null && echo "${name} is here"`).join("; "),
  );
  for (const name of names) {
    if (text.includes(`${name} is here`)) installed++;
  }
  for (
    const name of [
      "curl --version",
      "gcc --version",
      "make --version",
      "tee --version",
      "perl -v",
      "cp --version",
      "xargs --version",
    ]
  ) {
    const answer = await session.run(name);
    if (/COMMAND_NOT_ALLOWED/.test(answer)) refused.push(name);
  }
  assert.deepEqual(refused, []);
  assert.ok(installed >= 75, `${installed} of ${names.length} are installed here`);
  const absent = names.find((name) => !text.includes(`${name} is here`)) ?? "";
  assert.match(
    await session.run(absent),
    new RegExp(`^\\[stderr\\]\\n${absent}: not installed \\(searched .*/usr/bin`),
  );
});
