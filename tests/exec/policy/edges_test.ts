/** Where one thing ends and another begins: bounds, anchors, kinds of words, and what a command may stand in. @module */
import assert from "node:assert/strict";
import { testGate } from "./gate_support.ts";

const nested = (word: string, times: number): string => `${word} `.repeat(times);

Deno.test("commands may stand in each other eight deep", async () => {
  await using test = await testGate({ more: ["nohup"] });
  await test.admit({ argv: [..."nohup ".repeat(8).trim().split(" "), "ls"] });
  assert.match((await test.refuses({ argv: [..."nohup ".repeat(9).trim().split(" "), "ls"] })).message, /too deep/);
  await test.admits(`bash -c '${nested("eval", 6)}ls'`);
  assert.match((await test.refuses(`bash -c '${nested("eval", 7)}ls'`)).message, /^ls: commands.*too deep/);
  assert.match(
    (await test.refuses(`bash -c '${nested("eval", 8)}ls'`)).message,
    /^eval: commands.*too deep/,
  );
});

Deno.test("a script may stand as deep as a command", async () => {
  await using test = await testGate({ more: ["nohup"] });
  const deep = (times: number) => [..."nohup ".repeat(times).trim().split(" "), "bash", "-c", "ls"];
  await test.admit({ argv: deep(6) });
  assert.match((await test.refuses({ argv: deep(7) })).message, /^ls: commands stand in each other too deep/);
  assert.match((await test.refuses({ argv: deep(8) })).message, /^a script: scripts stand in each other too deep/);
});

Deno.test("a program is an interpreter's loader only when its file begins like one", async () => {
  await using test = await testGate({
    more: ["build-linux", "loader"],
    files: { loader: "/lib64/ld-linux-x86-64.so.2" },
  });
  await test.admits("build-linux x");
  await test.refuses("loader ls");
});

Deno.test("paths in a script are from its folder, until it goes elsewhere", async () => {
  await using test = await testGate();
  await test.refuses("ls; cat ../outside/secret", "INVALID_PATH");
  await test.refuses("ls > ../outside/new", "INVALID_PATH");
  for (const move of ["cd src", "pushd src", "popd", "source ./a.txt", ". ./a.txt", "eval 'cd src'"]) {
    await test.admits(`${move}; cat ../a.txt`);
    await test.refuses(`${move}; cat /root/x`, "INVALID_PATH");
  }
});

Deno.test("find's commands end where find ends them", async () => {
  await using test = await testGate();
  await test.refuses("find . -exec ls {} + -exec sudo id \\;");
  await test.refuses("find . -exec ls {} \\; -exec sudo id \\;");
  for (const option of ["-exec", "-execdir", "-ok", "-okdir"]) {
    assert.match((await test.refuses(`find . ${option} sudo id \\;`)).message, /sudo/);
    assert.match((await test.refuses({ argv: ["find", ".", option, "sudo", "{}", "+"] })).message, /sudo/);
  }
  await test.refuses({ argv: ["find", "-exec", "sudo", "id", ";"] });
  await test.admits("find . -exec ls + {} \\;");
  await test.admits("find . -exec ls {}");
  await test.refuses("find . -exec bash -c '{}' \\;");
  await test.refuses("find . -exec x{} \\;");
});

Deno.test("words of every kind behind a here-document are the command's", async () => {
  await using test = await testGate();
  const words = ["sudo", "'sudo'", '"sudo"', "$'sudo'", '$"sudo"', 's"u"do', "5", "$X", "${X}", "$(echo sudo)"];
  for (const word of [...words, "<(ls)", "{1..2}", "$((1))"]) {
    await test.refuses(`env <<EOF ${word}\nx\nEOF`);
    await test.refuses(`env <<< x ${word}`);
    await test.refuses(`env > out.txt ${word}`);
  }
  await test.admits("env <<EOF ls\nx\nEOF");
});

Deno.test("operators in quotes and expansions inside brackets are text", async () => {
  await using test = await testGate();
  const words = ['"a;b"', "'a;b'", "$'a;b'", '$"a;b"', "$(ls; pwd)", "${x:-'a;b'}", "$((1<2))", "$x", "a\\;b"];
  for (const word of words) await test.admits(`[ ${word} = x ] && ls`);
  await test.admits("[ -e <(ls; pwd) ] && ls");
  for (const operator of [";", "&", "|", "<", ">"]) await test.refuses(`[ a ${operator} sudo ]`);
  await test.admits("[[ a < b ]] && ls");
});

Deno.test("escaped expansions are text, and unescaped ones are not", async () => {
  await using test = await testGate();
  for (const word of ["\\`sudo\\`", "\\$x", "a\\`b", "'`sudo`'"]) await test.admits(`echo ${word}; ls`);
  for (const word of ["`sudo`", "$(sudo)", "a`sudo`", "\\\\`sudo`", "\\\\$(sudo)"]) {
    await test.refuses(`echo ${word}; ls`);
  }
});

Deno.test("a shell's own options may have values, and its startup files are looked at", async () => {
  await using test = await testGate();
  await test.admit({ argv: ["bash", "-o", "/root/x", "-c", "ls"] });
  await test.admit({ argv: ["bash", "-O", "extglob", "-c", "ls"] });
  await test.admit({ argv: ["bash", "+O", "extglob", "+e", "-c", "ls"] });
  await test.admit({ argv: ["bash", "--rcfile"] });
  for (const option of ["--rcfile", "--init-file"]) {
    await test.admit({ argv: ["bash", option, "a.txt", "-c", "ls"] });
    await test.refuses({ argv: ["bash", option, "/root/x", "-c", "ls"] }, "INVALID_PATH");
  }
  await test.refuses({ argv: ["bash", "-c"] });
  await test.refuses({ argv: ["bash", "+c", "sudo id"] });
  await test.refuses({ argv: ["bash", "-ec", "sudo id"] });
  assert.equal((await test.admit({ argv: ["bash", "-s", "a.txt"] })).class, "code");
});

Deno.test("words of a refusal stand on one line and end", async () => {
  await using test = await testGate();
  const { message } = await test.refuses({ argv: [`a\n\tb${"c".repeat(100)}`] });
  assert.equal(message, `a b${"c".repeat(77)}…: this is not a name of a program`);
  assert.match((await test.refuses({ argv: ["d".repeat(80)] })).message, new RegExp(`^'d{80}' is not`));
});

Deno.test("files that every confined program may read are open to it, and nothing beside them", async () => {
  await using test = await testGate();
  for (
    const path of [
      "/etc/resolv.conf",
      "/etc/hosts",
      "/etc/passwd",
      "/usr/share/x",
      "/tmp/x",
      "/proc/cpuinfo",
      "/dev/null",
    ]
  ) {
    await test.admits(`cat ${path}`);
  }
  for (const path of ["/etc/shadow", "/usr-x", "/tmpx", "/dev/sda", "/proc/../root/x", "/tmp/../root/x"]) {
    await test.refuses(`cat ${path}`, "INVALID_PATH");
  }
  await using bare = await testGate({ level: "none" });
  for (
    const path of [
      "/dev/null",
      "/dev/zero",
      "/dev/full",
      "/dev/random",
      "/dev/urandom",
      "/dev/stdin",
      "/dev/stdout",
      "/dev/stderr",
      "/dev/fd/3",
      "/dev/tty",
      "/dev/pts/0",
      "-",
      "a.txt",
    ]
  ) await bare.admit({ argv: ["cat", path] });
  for (const path of ["/etc/hosts", "/usr/share/x", "/tmp/x"]) {
    await bare.refuses({ argv: ["cat", path] }, "INVALID_PATH");
  }
});

Deno.test("letters of a cluster take values only where the program says so", async () => {
  await using test = await testGate();
  await test.refuses({ argv: ["cat", "-n", "/root/x"] }, "INVALID_PATH");
  await test.refuses({ argv: ["head", "-qn", "5", "/root/x"] }, "INVALID_PATH");
  await test.refuses({ argv: ["head", "-n5", "/root/x"] }, "INVALID_PATH");
  await test.admit({ argv: ["head", "-qn", "/root/x", "a.txt"] });
  await test.admit({ argv: ["grep", "-n", "--", "-f", "a.txt"] });
  await test.refuses({ argv: ["grep", "x", "-", "/root/x"] }, "INVALID_PATH");
});

Deno.test("a line break ends a command, a redirection and an assignment", async () => {
  await using test = await testGate();
  for (
    const line of [
      "cat <<<\nsudo",
      "cat <\nsudo",
      "cat >\nsudo",
      "export A=1 \\\n\nsudo",
      "!\nsudo",
      "unset x\nsudo",
      "A=1\nsudo",
    ]
  ) {
    await test.refuses(line);
  }
});

Deno.test("every starting point of find is checked, wherever it stands", async () => {
  await using test = await testGate({ level: "none" });
  const starts = ["", "--", "-H", "-H -P", "-O3", "-Olevel", "-D search", "-D --", "-H --", "-", "!x", "(x", ")", ","];
  for (const before of [...starts, "a.txt"]) {
    const argv = ["find", ...before.split(" ").filter((word) => word !== ""), "/etc/passwd"];
    await test.refuses({ argv }, "INVALID_PATH");
    await test.refuses({ argv: [...argv, "-name", "x"] }, "INVALID_PATH");
  }
  for (
    const line of [
      ". -name etc",
      "-H -- a.txt ! -name etc",
      ". ( -path etc )",
      "-D search . -newermt etc",
      "-- -path etc",
    ]
  ) {
    await test.admit({ argv: ["find", ...line.split(" ")] });
  }
});

Deno.test("a command may bring so many variables, and a script in a script knows its functions", async () => {
  await using test = await testGate();
  const env = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`X${index}`, "1"]));
  await test.admit({ command: "ls", env: env(64) });
  assert.match(
    (await test.refuses({ command: "ls", env: env(65) }, "INVALID_ARGUMENT")).message,
    /more than 64 variables/,
  );
  await test.admits("f() { ls; }; eval 'f x'; trap f EXIT");
  await test.refuses("eval 'f x'; f() { ls; }");
  await test.refuses("f() { ls; }; bash -c 'f x'");
});

Deno.test("a script that cannot be parsed is refused with the place", async () => {
  await using test = await testGate();
  for (const [command, place] of [["ls; echo )", ")"], ["ls; echo ${", "${"]] as const) {
    const { message } = await test.refuses(command);
    assert.equal(message, `near '${place}': this shell script cannot be parsed`);
  }
});

Deno.test("only an expansion that ends in @P runs its text", async () => {
  await using test = await testGate();
  for (const text of ["${x:-'@P}'}", '${x:-"@P}"}', "${x/@P\\}/y}"]) await test.admits(`echo ${text}; ls`);
  for (const text of ["${x@P}", '"${x@P}"', "${x[0]@P}"]) await test.refuses(`echo ${text}; ls`);
});

Deno.test("a shell in a script reads what the script reads", async () => {
  await using test = await testGate();
  const input = { kind: "text", text: "sudo id" } as const;
  for (const argv of [["bash", "-c", "bash"], ["bash", "-c", "ls; bash -s"]]) {
    await test.refuses({ argv, input });
    await test.admit({ argv, input: { kind: "text", text: "ls" } });
    await test.admit({ argv, input: { kind: "session" } });
  }
  await test.refuses("echo sudo | bash -c bash");
  await test.admit({ argv: ["bash", "-c", "bash <<< ls"], input });
});
