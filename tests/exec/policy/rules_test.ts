import assert from "node:assert/strict";
import { type Rule, RULES } from "../../../src/exec/policy/rules.ts";
import { strictGate } from "./gate_support.ts";

/** Words that make a row fit, for rows that look at more than the option's name. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  "tar refuse --checkpoint-action": ["--checkpoint-action=exec=id"],
  "tar refuse -f": ["-f", "host:a.tar"],
  "git refuse --exec-path": ["--exec-path=/tmp/x", "status"],
  "ssh refuse -o": ["-o", "ProxyCommand=id", "host"],
  "curl confined file:": ["file:///etc/passwd"],
  "systemctl refuse edit": ["edit", "ssh"],
  "sed confined -i": ["-i", "p", "a.txt"],
  "uniq confined 1": ["a.txt", "out.txt"],
  "xxd confined 1": ["a.txt", "out.bin"],
};

function sampleOf(rule: Rule): readonly string[] {
  const option = rule.options?.[0];
  const key = `${rule.program} ${rule.action} ${option ?? rule.maxOperands ?? ""}`;
  const sample = SAMPLES[key] ??
    Object.entries(SAMPLES).find(([name]) => option === undefined && name.startsWith(`${rule.program} ${rule.action}`))
      ?.[1];
  if (sample) return sample;
  const [, subcommand] = rule.program.split(" ");
  const before = subcommand === undefined ? [] : [subcommand === "*" ? "log" : subcommand];
  if (option === undefined) return [...before, "ext::sh -c id"];
  return [...before, option, rule.action === "path" ? "/root/x" : "nc"];
}

for (const rule of RULES) {
  const [program = ""] = rule.program.split(" ");
  const words = sampleOf(rule);
  Deno.test(`rule: ${rule.action} ${program} ${words.join(" ")}`, async () => {
    assert.ok(rule.reason.length > 5);
    await using confined = await strictGate({ more: [program] });
    await using bare = await strictGate({ more: [program], level: "none", confinement: "best_effort" });
    const argv = [program, ...words];
    switch (rule.action) {
      case "refuse":
      case "program":
        assert.ok((await confined.refuses({ argv })).message.length > 0);
        await bare.refuses({ argv });
        break;
      case "path":
        await confined.refuses({ argv }, "INVALID_PATH");
        await bare.refuses({ argv }, "INVALID_PATH");
        break;
      case "confined":
        await confined.admit({ argv });
        assert.match((await bare.refuses({ argv })).message, /nothing confines/);
    }
  });
}

const SPELLED: readonly (readonly string[])[] = [
  ["rg", "--pre=id", "x"],
  ["sort", "--compress-prog=id", "a.txt"],
  ["sort", "--comp", "id", "a.txt"],
  ["tar", "--to-com=id", "-xf", "a.tar"],
  ["tar", "--to-c", "id", "-xf", "a.tar"],
  ["tar", "--checkpoint=1", "--checkpoint-action", "exec=sh x.sh", "-cf", "a.tar", "src"],
  ["tar", "-Inc", "-cf", "a.tar", "src"],
  ["tar", "-cIf", "nc", "a.tar", "src"],
  ["tar", "cIf", "nc", "a.tar", "src"],
  ["tar", "--use-compress=nc", "-cf", "a.tar"],
  ["tar", "-F", "x.sh", "-cf", "a.tar"],
  ["tar", "xFf", "x.sh", "a.tar"],
  ["tar", "-xvfhost:a.tar"],
  ["split", "--filter=id", "a.txt"],
  ["split", "--fil", "id", "a.txt"],
  ["awk", 'BEGIN { system("id") }'],
  ["awk", 'BEGIN { "id" | getline x; print x }'],
  ["awk", '{ print | "sh" }'],
  ["awk", '{ print |& "sh" }'],
  ["awk", 'BEGIN { f = "system"; @f("id") }'],
  ["awk", '@load "filefuncs"; BEGIN { }'],
  ["awk", 'BEGIN { x = 4 / 2; system("id"); y = 1 / 2 }'],
  ["awk", 'BEGIN { i++ / 2; system("id"); 1 / 2 }'],
  ["awk", "-f", "a.awk", "-l", "filefuncs"],
  ["awk", "--load=filefuncs", "BEGIN {}"],
  ["awk", "-e", 'BEGIN { system("id") }'],
  ["sed", "1e id", "a.txt"],
  ["sed", "s/a/id/e", "a.txt"],
  ["sed", "s/a/id/ge", "a.txt"],
  ["sed", "s|a|id|2e", "a.txt"],
  ["sed", "-n", "-e", "/x/{s/a/b/;e id", "-e", "}", "a.txt"],
  ["sed", "--expression=e id", "a.txt"],
  ["sed", "$!{e id\n}", "a.txt"],
  ["sed", "s/[/]/e/;e id", "a.txt"],
  ["sed", "y/abc/xyz/;e", "a.txt"],
  ["find", ".", "-exec", "sh", "-c", "id", ";"],
  ["find", ".", "-execdir", "nc", "{}", "+"],
  ["find", ".", "-ok", "nc", ";"],
  ["find", ".", "-name", "x", "-okdir", "nc", ";"],
  ["git", "-c", "core.pager=id", "log"],
  ["git", "-c", "core.sshCommand=id", "fetch"],
  ["git", "-c", "core.fsmonitor=id", "status"],
  ["git", "-ccore.editor=id", "commit"],
  ["git", "-c", "diff.external=id", "diff"],
  ["git", "--config-env=core.pager=X", "log"],
  ["git", "grep", "-Oid", "x"],
  ["git", "grep", "--open-files=id", "x"],
  ["git", "clone", "-c", "core.sshCommand=id", "x"],
  ["git", "clone", "--config", "core.sshCommand=id", "x"],
  ["git", "clone", "ext::sh -c id", "x"],
  ["git", "fetch", "--upload-pack=id", "x"],
  ["git", "fetch", "--upload-p", "id", "x"],
  ["git", "ls-remote", "ext::id"],
  ["git", "push", "--exec=id", "x"],
  ["git", "difftool", "-x", "id"],
  ["git", "mergetool"],
  ["git", "filter-branch", "--tree-filter", "id"],
  ["git", "web--browse", "x"],
  ["git", "send-email"],
  ["git", "foo"],
  ["git", "log", "--ext-diff"],
  ["env", "-S", "id -u"],
  ["env", "--split-string=id -u"],
  ["env", "-i", "PATH=/tmp", "ls"],
  ["env", "-u", "A", "nc"],
  ["env", "--", "nc"],
  ["env", "ls=1", "nc"],
  ["bash", "-lc", "nc"],
  ["bash", "-c", "--", "nc"],
  ["bash", "-o", "pipefail", "-c", "nc"],
  ["bash", "+x", "-c", "nc"],
  ["bash", "-ec", "ls; nc"],
  ["sh", "-c", "nc"],
  ["make", "SHELL=/usr/bin/nc", "-f", "/root/x"],
];

for (const argv of SPELLED) {
  Deno.test(`refused in every spelling: ${argv.join(" ")}`, async () => {
    await using test = await strictGate({ more: ["split"] });
    await test.refuses({ argv }, argv[0] === "make" ? "INVALID_PATH" : undefined);
    // In a shell the same words are the same command.
    const quoted = argv.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
    await test.refuses(`ls; ${quoted}`, argv[0] === "make" ? "INVALID_PATH" : undefined);
  });
}

Deno.test("wrappers that cannot be understood are refused by name and by file", async () => {
  await using test = await strictGate({
    more: ["watch", "busybox", "script", "loader"],
    files: { loader: "/lib64/ld-linux-x86-64.so.2" },
  });
  for (const command of ["watch ls", "busybox ls", "script -c ls", "loader /usr/bin/id"]) await test.refuses(command);
});

Deno.test("a program is what its file is, whatever it is called by", async () => {
  await using test = await strictGate({
    more: ["mytar", "myenv", "mysh", "list"],
    files: { mytar: "/usr/bin/tar", myenv: "/usr/bin/env", mysh: "/usr/bin/dash", list: "/usr/bin/find" },
  });
  await test.refuses({ argv: ["mytar", "--to-command=id", "-xf", "a"] });
  await test.refuses({ argv: ["myenv", "id"] });
  await test.refuses({ argv: ["mysh", "-c", "id"] });
  await test.refuses({ argv: ["list", ".", "-exec", "id", ";"] });
});

Deno.test("wrappers check the command in them", async () => {
  await using test = await strictGate({
    more: ["nice", "nohup", "timeout", "setsid", "stdbuf", "flock", "xargs", "ionice", "chrt", "taskset"],
  });
  for (
    const wrapper of [
      "nice -n 5",
      "nice -5",
      "nohup",
      "timeout -k 1 5",
      "timeout --signal=KILL 5s",
      "setsid -w",
      "stdbuf -oL",
      "flock a.txt",
    ]
      .concat(["xargs -0 -n1", "xargs -I {}", "ionice -c3", "chrt -b 0", "taskset -c 0", "env -i A=1", "env -C src"])
  ) {
    await test.admits(`${wrapper} ls -l`);
    assert.match((await test.refuses(`${wrapper} nc -l`)).message, /^nc: not allowed/);
  }
  await test.refuses("flock a.txt -c 'nc -l'");
  await test.admits("flock a.txt -c 'ls | wc -l'");
});

Deno.test("at level none only programs that read may run, and what would help is said", async () => {
  await using test = await strictGate({ level: "none", more: ["fd"] });
  for (
    const command of [
      "ls -la",
      "cat a.txt",
      "grep -rn x src",
      "rg x",
      "find . -name x",
      "find . -exec grep x {} +",
      "head -5 a.txt",
      "env",
      "env ls",
      "sed -n 1,5p a.txt",
    ]
      .concat([
        "sort -u a.txt",
        "wc -l a.txt",
        "echo hi",
        "date",
        "ps aux",
        "du -sh src",
        "diff a.txt src/b.ts",
        "stat a.txt",
      ])
  ) {
    await test.admits(command);
  }
  for (
    const command of [
      "python3 -c 1",
      "bash -c ls",
      "ls | wc",
      "git status",
      "make",
      "node x.js",
      "awk 1 a.txt",
      "sed s/a/b/ a.txt",
      "tar cf x src",
      "patch -p1",
    ]
  ) {
    const error = await test.refuses(command, "SANDBOX_UNAVAILABLE");
    assert.match(error.hint, /Install bubblewrap.*best_effort/);
  }
  for (
    const command of [
      "find . -delete",
      "find . -exec python3 {} +",
      "sort -o x a.txt",
      "uniq a.txt b",
      "date -s 0",
      "rg -z x",
      "rg -L x",
    ]
  ) {
    await test.refuses(command, command.includes("python3") ? "SANDBOX_UNAVAILABLE" : "COMMAND_NOT_ALLOWED");
  }
});

Deno.test("at level none no argument leaves the roots, in any form", async () => {
  await using test = await strictGate({ level: "none" });
  for (
    const command of [
      "cat /usr/share/x",
      "cat /proc/cpuinfo",
      "grep --file=/etc/passwd a.txt",
      "grep -f/etc/passwd a.txt",
      "sort --files0-from=x",
    ]
      .concat([
        "du --exclude-from=/etc/x .",
        "ls -I/etc /",
        "date -r /etc/passwd",
        "date --reference=/etc/passwd",
        "diff --from-file=/etc/passwd a.txt",
        "cat link",
      ])
  ) {
    await test.refuses(command, command.includes("files0") ? "COMMAND_NOT_ALLOWED" : "INVALID_PATH");
  }
});

Deno.test("best_effort and off let code run where nothing confines it", async () => {
  for (const confinement of ["best_effort", "off"] as const) {
    await using test = await strictGate({ level: "none", confinement });
    await test.admits("python3 -c 1");
    await test.admits("ls | wc -l");
    await test.refuses("ls | nc");
    await test.refuses('find "$x" -name y');
  }
});
