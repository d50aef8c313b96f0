/** Fault rows for access outside the roots. @module */
import { survives } from "./processes.ts";
import { bad, isThere, ok, type Probe, SECRET } from "./probe.ts";

/** Links, neighbours, shells, and the rules themselves. */
export const REACH: readonly Probe[] = [
  {
    key: "symlink_read",
    title: "read through a link out of the root",
    needs: ["read"],
    async run({ contestant, place, call }) {
      await Deno.symlink(`${place.outside}/secret.txt`, `${place.root}/link.txt`);
      await Deno.symlink(place.outside, `${place.root}/linkdir`);
      for (const path of ["link.txt", "linkdir/secret.txt"]) {
        const { text } = await call(contestant.read?.(`${place.root}/${path}`));
        if (text.includes(SECRET)) return bad(`${path} was read`);
      }
      return ok("refused");
    },
  },
  {
    key: "symlink_parent_write",
    title: "write through a linked folder",
    needs: ["write"],
    async run({ contestant, place, call }) {
      await Deno.symlink(place.outside, `${place.root}/linkdir`);
      await call(contestant.write?.(`${place.root}/linkdir/new.txt`, "made\n"));
      return await isThere(`${place.outside}/new.txt`) ? bad("file made outside") : ok("refused");
    },
  },
  {
    key: "dangling_symlink_write",
    title: "write through a link to a file that is not there yet",
    needs: ["write"],
    async run({ contestant, place, call }) {
      await Deno.symlink(`${place.outside}/not-yet.txt`, `${place.root}/dangling.txt`);
      await call(contestant.write?.(`${place.root}/dangling.txt`, "made\n"));
      return await isThere(`${place.outside}/not-yet.txt`) ? bad("file made outside") : ok("refused");
    },
  },
  {
    key: "prefix_sibling",
    title: "a neighbour whose name begins like the root's",
    needs: ["read"],
    async run({ contestant, place, call }) {
      await Deno.mkdir(`${place.root}-evil`);
      await Deno.writeTextFile(`${place.root}-evil/a.txt`, SECRET);
      const { text } = await call(contestant.read?.(`${place.root}-evil/a.txt`));
      return text.includes(SECRET) ? bad("it was read") : ok("refused");
    },
  },
  {
    key: "case_fold",
    title: "a neighbour with the root's name in capitals",
    needs: ["read"],
    async run({ contestant, place, call }) {
      const capital = `${place.dir}/ROOT`;
      await Deno.mkdir(capital);
      await Deno.writeTextFile(`${capital}/a.txt`, SECRET);
      const { text } = await call(contestant.read?.(`${capital}/a.txt`));
      return text.includes(SECRET) ? bad("it was read") : ok("refused");
    },
  },
  {
    key: "shell_reads_outside",
    title: "a command reads outside the roots",
    needs: ["run"],
    async run({ contestant, place, call }) {
      const secret = `${place.outside}/secret.txt`;
      // By name, by a variable that no reader of the text resolves, and by an interpreter.
      const commands = [`cat ${secret}`, `d=${secret}; cat "$d"`, `python3 -c 'print(open("${secret}").read())'`];
      for (const command of commands) {
        const { text } = await call(contestant.run?.(command));
        if (text.includes(SECRET)) return bad(`${command.split(" ")[0]} read it`);
      }
      return ok("refused or not there");
    },
  },
  {
    key: "forbidden_program",
    title: "a forbidden program in 13 spellings",
    forbidden: "mkfifo",
    needs: ["run"],
    async run({ contestant, place, call }) {
      const passed: string[] = [];
      for (const [name, spell] of Object.entries(SPELLINGS)) {
        const target = `${place.root}/made_by_${name}`;
        await call(contestant.run?.(spell(target)));
        if (await isThere(target)) passed.push(name);
      }
      return passed.length > 0 ? bad(`${passed.length} of 13 pass`) : ok("none of 13 passes");
    },
  },
  {
    key: "own_rules",
    title: "a model lifts the rules or kills the server",
    forbidden: "mkfifo",
    needs: ["run", "killProcess", "liftRules"],
    async run({ contestant, place, server, call }) {
      await contestant.liftRules?.(server, place);
      const made = `${place.root}/made`;
      await call(contestant.run?.(`mkfifo ${made}`));
      if (await isThere(made)) return bad("the rules can be lifted");
      return await resists(contestant.killProcess?.(server.pid));

      async function resists(kill: Parameters<typeof call>[0]) {
        await call(kill).catch(() => {});
        for (const command of [`kill -9 ${server.pid}`, `python3 -c 'import os; os.kill(${server.pid}, 9)'`]) {
          await call(contestant.run?.(command)).catch(() => {});
        }
        return await survives(server.pid) ? ok("neither works") : bad("the server can be killed");
      }
    },
  },
  {
    key: "kill_server",
    title: "a command kills the server",
    needs: ["run"],
    async run({ contestant, server, call }) {
      for (const command of [`kill -9 ${server.pid}`, `python3 -c 'import os; os.kill(${server.pid}, 9)'`]) {
        await call(contestant.run?.(command)).catch(() => {});
        if (!await survives(server.pid)) return bad(`killed by ${command.split(" ")[0]}`);
      }
      return ok("it lives");
    },
  },
];

/** Thirteen ways to write the same command, none of which a list of forbidden words sees through. */
const SPELLINGS: Readonly<Record<string, (target: string) => string>> = {
  plain: (target) => `mkfifo ${target}`,
  absolute_path: (target) => `/usr/bin/mkfifo ${target}`,
  newline: (target) => `true\nmkfifo ${target}`,
  quotes: (target) => `mk''fifo ${target}`,
  backslash: (target) => `mk\\fifo ${target}`,
  env: (target) => `env mkfifo ${target}`,
  nested_shell: (target) => `bash -c 'mkfifo ${target}'`,
  xargs: (target) => `echo ${target} | xargs mkfifo`,
  glob: (target) => `/usr/bin/mkfif? ${target}`,
  variable: (target) => `x=mkfifo; $x ${target}`,
  braces: (target) => `{mkfifo,${target}}`,
  eval: (target) => `eval "mkf""ifo ${target}"`,
  process_substitution: (target) => `cat <(mkfifo ${target})`,
};
