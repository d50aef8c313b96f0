/** Attempts to leave the roots by arguments of ordinary programs, and the fixture for them. @module */

/**
 * Ways in which arguments of ordinary programs reach out of the roots. SECRET is a file outside, PLANTED one that must
 * not come into being, OUT the directory of both. Whether the gate or the kernel says no does not matter here.
 */
export const ATTACKS: readonly (string | readonly string[])[] = [
  // Reading by operand
  "cat SECRET",
  "cat ../outside/secret",
  "cat link",
  "cat linkdir/secret",
  "cat < SECRET",
  "head -n 1 SECRET",
  "tail -c 100 SECRET",
  "wc -c link; cat linkdir/secret",
  "sort SECRET",
  "cut -c1- SECRET",
  "uniq SECRET",
  "diff SECRET a.txt",
  "stat -L link; cat /proc/self/cwd/../outside/secret",
  "file -f SECRET",
  "grep -r . OUT",
  "grep -R . .",
  "grep -f SECRET a.txt; grep . SECRET",
  "rg -uuu . OUT",
  "rg -L . .",
  "rg -f SECRET .",
  "find OUT -name secret -exec cat {} +",
  "find -L . -name secret -exec cat {} ;",
  "find . -samefile SECRET",
  "ls -la OUT; ls linkdir/",
  "du -a OUT",
  "tar cf - SECRET",
  "tar -C OUT -cf - secret",
  "tar chf - linkdir",
  "git diff --no-index /dev/null SECRET",
  "git -C OUT log; git hash-object --stdin < SECRET",
  "git --git-dir=OUT/.git --work-tree=OUT status; git grep --no-index . OUT",
  "cat /proc/self/root/SECRET",
  "cat /proc/1/rootSECRET",
  "cat $(echo SECRET)",
  "X=SECRET; cat $X",
  "cat OUT/s*t",
  "cat OUT/{secret,x}",
  "while read -r l; do echo $l; done < SECRET",
  "exec 3< SECRET; cat <&3",
  "mapfile -t x < SECRET; echo ${x[@]}",
  "echo $(< SECRET)",
  "source SECRET",
  "bash SECRET",
  "bash -c 'cat SECRET'",
  "env cat SECRET",
  "env -C OUT cat secret",
  "date -f SECRET",
  "awk '{ print }' SECRET",
  "awk 'BEGIN { while ((getline l < \"SECRET\") > 0) print l }'",
  "sed -n 1p SECRET",
  "sed -n 'r SECRET' a.txt",
  "sed 's/.*/cat SECRET/e' a.txt",
  "patch -p0 -o - < SECRET",
  "make -f SECRET",
  ["make", "--eval", "x: ; cat SECRET", "x"],
  ["python3", "-c", "print(open('SECRET').read())"],
  ["python3", "-c", "import os; print(os.popen('cat SECRET').read())"],
  ["python3", "-c", "import os; os.chdir('..'); print(open('outside/secret').read())"],
  ["python3", "-c", "import os; os.symlink('SECRET', 'l2'); print(open('l2').read())"],
  ["python3", "-c", "import os; os.link('SECRET', 'l3'); print(open('l3').read())"],
  ["node", "-e", "console.log(require('fs').readFileSync('SECRET', 'utf8'))"],
  ["node", "-e", "console.log(String(require('child_process').execSync('cat SECRET')))"],
  // Running programs by option
  ["rg", "--pre", "cat", ".", "SECRET"],
  ["rg", "--hostname-bin", "./evil.sh", "."],
  ["sort", "--compress-program", "./evil.sh", "-S", "1k", "a.txt"],
  ["tar", "--to-command", "cat SECRET", "-xf", "a.tar"],
  ["tar", "-cf", "/dev/null", "--checkpoint=1", "--checkpoint-action=exec=cat SECRET", "a.txt"],
  ["tar", "-I", "./evil.sh", "-cf", "x.tar", "a.txt"],
  ["find", ".", "-exec", "cat", "SECRET", ";"],
  ["git", "-c", "core.fsmonitor=./evil.sh", "status"],
  ["git", "-c", "core.pager=cat SECRET", "-p", "log"],
  ["git", "grep", "-O./evil.sh", "one"],
  ["awk", 'BEGIN { system("cat SECRET") }'],
  "cat a.txt | xargs -I{} cat SECRET",
  // Writing
  "echo x > PLANTED",
  "echo x > linkdir/planted",
  "cp a.txt PLANTED",
  "tee PLANTED < a.txt",
  "touch PLANTED",
  "sort -o PLANTED a.txt",
  "uniq a.txt PLANTED",
  "find . -name a.txt -fprint PLANTED",
  "tar -P -cf PLANTED a.txt",
  "tar -C OUT -xf a.tar",
  "split a.txt PLANTED",
  "sed -i.bak s/a/b/ SECRET",
  "sed -n 'w PLANTED' a.txt",
  "awk '{ print > \"PLANTED\" }' a.txt",
  "git init OUT/planted",
  "git diff --output=PLANTED",
  ["python3", "-c", "open('PLANTED', 'w').write('x')"],
  ["node", "-e", "require('fs').writeFileSync('PLANTED', 'x')"],
  "mv a.txt PLANTED",
  "ln SECRET l4; cat l4",
  "ln -s SECRET l5; cat l5",
  "rm -rf OUT",
  "chmod 777 SECRET; cat SECRET",
  // A repository that brings its own programs
  "git status; git diff; git log -p; git commit --allow-empty -m x",
];

/** Programs that the attacks need beyond the usual ones. */
export const ATTACK_PROGRAMS = ["tee", "cp", "mv", "ln", "rm", "touch", "chmod", "split", "xargs"];

/** Files of one try. */
export interface Trap {
  readonly secret: string;
  /** What of an attack stands for a path, put in. */
  fill(attack: string | readonly string[]): string | readonly string[];
  /** What got out since the last look; empty when nothing did. */
  look(attack: string | readonly string[], output: string): Promise<string[]>;
}

/** Puts a secret beside a root, and into the root what could lead to it. @param outside A folder to make. */
export async function setTrap(root: string, outside: string): Promise<Trap> {
  const secret = `canary-${crypto.randomUUID()}`;
  await plant(root, outside, secret);
  const list = () => Array.fromAsync(Deno.readDir(outside), ({ name }) => name);
  const before = await list();
  const fillWord = (text: string) =>
    text.replaceAll("SECRET", `${outside}/secret`).replaceAll("PLANTED", `${outside}/planted`).replaceAll(
      "OUT",
      outside,
    );
  return {
    secret,
    fill: (attack) => typeof attack === "string" ? fillWord(attack) : attack.map(fillWord),
    async look(attack, output) {
      const leaks: string[] = [];
      if (output.includes(secret)) leaks.push(`read: ${attack}`);
      if ((await list()).join() !== before.join()) leaks.push(`wrote: ${attack}`);
      if (await Deno.readTextFile(`${outside}/secret`) !== `${secret}\n`) leaks.push(`changed: ${attack}`);
      await Deno.writeTextFile(`${root}/a.txt`, "one\ntwo\n");
      return leaks;
    },
  };
}

async function plant(root: string, outside: string, secret: string): Promise<void> {
  await Deno.mkdir(outside, { recursive: true });
  await Deno.writeTextFile(`${root}/a.txt`, "one\ntwo\n");
  await Deno.writeTextFile(`${outside}/secret`, `${secret}\n`);
  await Deno.symlink(`${outside}/secret`, `${root}/link`);
  await Deno.symlink(outside, `${root}/linkdir`);
  await Deno.writeTextFile(`${root}/evil.sh`, `#!/bin/sh\ncat ${outside}/secret\n`, { mode: 0o755 });
  const git = (...args: string[]) =>
    new Deno.Command("/usr/bin/git", { args, cwd: root, env: { HOME: root }, stdout: "null", stderr: "null" }).output();
  await git("init", "-q");
  for (
    const [key, value] of [
      ["core.fsmonitor", "./evil.sh"],
      ["diff.external", "./evil.sh"],
      ["core.pager", "./evil.sh"],
      ["user.name", "x"],
      ["user.email", "x@y.z"],
    ]
  ) {
    await git("config", String(key), String(value));
  }
  await Deno.writeTextFile(`${root}/.git/hooks/post-commit`, `#!/bin/sh\ncat ${outside}/secret\n`, { mode: 0o755 });
  await new Deno.Command("/usr/bin/tar", { args: ["-cf", "a.tar", "a.txt"], cwd: root }).output();
}
