/** Programs whose arguments are another command: its start is found, and it is checked. @module */
import assert from "node:assert/strict";
import { strictGate } from "./gate_support.ts";

const wordsOf = (text: string) => text.trim().split(/\s+/);

Deno.test("wrappers know where the command in them begins", async () => {
  const lines = `
env -u X ls|env -i A=1 B=2 ls|env -C src ls|env -a x ls|env --unset X ls|env --chdir src ls|env --argv0 x ls|nice -n 5 ls
nice --adjustment 5 ls|nice ls|nohup ls|timeout 5 ls|timeout -k 1 -s KILL 5 ls|timeout --kill-after 1 --signal KILL 5 ls|setsid -w ls
stdbuf -i 0 -o L -e 0 ls|stdbuf --input 0 --output L --error 0 ls|time -f x -o out ls|time --format x --output out ls
ionice -c 3 -n 7 ls|ionice --class 3 --classdata 7 ls|chrt -b 0 ls|chrt -T 1 -P 2 -D 3 0 ls|taskset 1 ls
flock -w 5 -E 1 a.txt ls|flock --timeout 5 --conflict-exit-code 1 a.txt ls|flock --wait 5 a.txt ls
xargs -a a.txt -d x -E y -I {} -L 1 -n 1 -P 2 -s 9 ls|xargs --arg-file a.txt --delimiter x --max-args 1 --max-procs 2 --max-chars 9 ls
xargs --process-slot-var X ls|sudo -u nobody -g nogroup -C 3 -h x -p y -r a -t b -T 5 -R / -D / -U x A=1 ls|doas -C x -u nobody ls
  `.trim().split(/[|\n]/);
  await using test = await strictGate({
    programs: ["bash", "ls", ...new Set(lines.map((line) => line.split(" ")[0] ?? ""))],
    allowUnsafe: true,
  });
  for (const line of lines) {
    await test.admit({ argv: line.split(" ") });
    const { message } = await test.refuses({ argv: [...line.split(" ").slice(0, -1), "nc", "x"] });
    assert.match(message, /^nc: not allowed/, line);
  }
});

Deno.test("wrappers without a command only read", async () => {
  const optional = ["env", "nice", "ionice -p 1", "chrt -p 1", "taskset -p 1", "flock 9", "xargs"];
  await using test = await strictGate({
    programs: ["ls", ...optional.map((line) => line.split(" ")[0] ?? "")],
    allowUnsafe: true,
  });
  for (const line of optional) assert.equal((await test.admit({ argv: line.split(" ") })).class, "read", line);
});

Deno.test("options with which a wrapper parses its command by its own rules are refused, and files it names are looked at", async () => {
  const refused = [
    "env -S",
    "env --split-string",
    "env --split",
    "sudo -s",
    "sudo --shell",
    "sudo -i",
    "sudo --login",
    "sudo -e",
    "sudo --edit",
    "doas -s",
  ];
  await using test = await strictGate({
    programs: ["ls", "env", "sudo", "doas", "time", "xargs", "flock", "bash"],
    allowUnsafe: true,
  });
  for (const line of refused) {
    assert.match(
      (await test.refuses({ argv: [...line.split(" "), "ls"] })).message,
      /parses the command by rules of its own/,
      line,
    );
  }
  for (
    const line of [
      "env -C /root",
      "env --chdir /root",
      "time -o /root/x",
      "time --output /root/x",
      "xargs -a /root/x",
      "xargs --arg-file /root/x",
    ]
  ) {
    await test.refuses({ argv: [...line.split(" "), "ls"] }, "INVALID_PATH");
  }
  for (const option of ["-c", "--command"]) {
    await test.admit({ argv: ["flock", "a.txt", option, "ls | ls"] });
    await test.admit({ argv: ["flock", option, "ls", "a.txt"] });
    await test.refuses({ argv: ["flock", "a.txt", option, "nc"] });
    await test.refuses({ argv: ["flock", option, "nc", "a.txt"] });
    await test.refuses({ argv: ["flock", "a.txt", option] });
  }
  await test.admit({ argv: ["env", "-C", "src", "ls", "../a.txt"] });
  await test.refuses({ argv: ["env", "ls", "../outside"] }, "INVALID_PATH");
});

Deno.test("what xargs runs gets words that are known only at run time", async () => {
  await using test = await strictGate({ more: ["xargs"] });
  assert.equal((await test.admit({ argv: ["xargs", "ls"] })).class, "code");
  await test.refuses({ argv: ["xargs", "bash", "-c"] });
  await test.refuses({ argv: ["xargs", "env"] });
  await test.refuses({ argv: ["xargs", "bash"], input: { kind: "text", text: "ls" } });
  await using bare = await strictGate({ level: "none", confinement: "best_effort", more: ["xargs", "fd"] });
  await bare.admit({ argv: ["xargs", "cat"] });
  for (const name of ["rg", "fd", "find", "git", "sed", "awk", "sort", "tar"]) {
    assert.match(
      (await bare.refuses({ argv: ["xargs", name] })).message,
      /could start a program|not known in advance/,
      name,
    );
  }
});

Deno.test("shells by any name are read as shells", async () => {
  const shells = wordsOf("bash sh dash ash rbash ksh zsh mksh");
  await using test = await strictGate({ programs: ["ls", ...shells] });
  for (const shell of shells) {
    await test.admit({ argv: [shell, "-c", "ls"] });
    await test.refuses({ argv: [shell, "-c", "nc x"] });
  }
});

Deno.test("programs that run any other are refused, whatever the arguments are", async () => {
  const names = wordsOf(
    "watch script parallel unshare nsenter chroot busybox toybox strace ltrace perf valgrind fakeroot faketime expect unbuffer " +
      "rlwrap dbus-run-session dbus-launch xvfb-run systemd-run at batch crontab start-stop-daemon pkexec runuser capsh setpriv prlimit " +
      "bwrap firejail proxychains socat ncat tmux screen dtach abduco entr catchsegv linux32 linux64 setarch run-parts sg newgrp " +
      "login ssh-agent tini dumb-init proot chpst envdir setuidgid softlimit",
  );
  const files = Object.fromEntries(names.map((name) => [`my-${name}`, `/usr/bin/${name}`]));
  await using test = await strictGate({ more: [...names, ...Object.keys(files)], files, allowUnsafe: true });
  for (const name of names) {
    for (const called of [name, `my-${name}`]) {
      assert.match((await test.refuses({ argv: [called, "ls"] })).message, /it runs any program/, called);
    }
  }
});
