/** Jobs on source code: a bug among two thousand tests, a rename, a project to explain, a module to write. @module */
import {
  choose,
  chooseNumber,
  digestFiles,
  filesBelow,
  type Job,
  type JobPlace,
  missingIn,
  readText,
  run,
  writeFiles,
} from "./job.ts";

const MODULES = 42, TESTS_EACH = 52;

/** A module of a framework with its tests; one of them has a fault in how it rounds. */
function frameworkModule(place: JobPlace, index: number): Readonly<Record<string, string>> {
  const name = `part_${String(index).padStart(2, "0")}`, isFaulty = index === chooseNumber(place, 1, 0, MODULES - 1);
  const shift = isFaulty ? "(value + step - 1) // step * step" : "(value + step // 2) // step * step";
  const tests = Array.from({ length: TESTS_EACH }, (_, n) => {
    const value = n * choose(place, 2, [7, 3, 9]) + index, step = 10, right = Math.floor((value + 5) / step) * step;
    return `    def test_round_${n}(self):\n        self.assertEqual(round_to(${value}, ${step}), ${right})\n`;
  });
  return {
    [`framework/${name}.py`]: `"""Numbers of part ${index}."""\n\n\ndef round_to(value, step):\n` +
      `    """Rounds to the nearest multiple of step; halves go up."""\n    return ${shift}\n`,
    [`tests/test_${name}.py`]:
      `import unittest\n\nfrom framework.${name} import round_to\n\n\nclass Part${index}(unittest.TestCase):\n${
        tests.join("\n")
      }`,
  };
}

/** A framework with over two thousand tests, of which some fail for one reason. */
const fixBug: Job = {
  name: "fix-bug",
  task:
    "Some of this framework's tests fail (python3 -m unittest discover -s tests -t .). Find the bug, fix it in framework/, " +
    "and make sure that all tests pass. Do not change tests.",
  async prepare(place) {
    for (let index = 0; index < MODULES; index++) await writeFiles(place.root, frameworkModule(place, index));
    await writeFiles(place.root, {
      "framework/__init__.py": "",
      "tests/__init__.py": "",
      "README.md": "# framework\n",
    });
    const tests = (await filesBelow(place.root)).filter((path) => path.startsWith("tests/"));
    place.facts.tests = await digestFiles(place, tests.filter((path) => path.endsWith(".py")));
  },
  async check(place) {
    const { code, text } = await run(place, "python3", "-m", "unittest", "discover", "-s", "tests", "-t", ".");
    const tests = (await filesBelow(place.root)).filter((path) => path.startsWith("tests/") && path.endsWith(".py"));
    return [
      ...code === 0 && text.includes(`Ran ${MODULES * TESTS_EACH} tests`) ? [] : ["the tests do not pass"],
      ...await digestFiles(place, tests) === place.facts.tests ? [] : ["the tests were changed"],
    ];
  },
};

/** How many files call the renamed function. */
const callers = (place: JobPlace): number => chooseNumber(place, 3, 40, 80);

/** A file that calls the function, beside names that only contain its name. */
function callerFile(index: number, name: string): string {
  return [
    `import { ${name}, getUserName } from "../lib/users.js";`,
    "",
    `// getUser2 is another function; "getUserById" was the old name.`,
    `export function page${index}(id) {`,
    `  const user = ${name}(id);`,
    `  return user ? getUserName(user) + ${name}(id + 1).tag : "no user ${index}";`,
    "}",
    "",
  ].join("\n");
}

function usersFile(name: string): string {
  return `export function ${name}(id) {\n  return { id, tag: "t" + id };\n}\n\nexport function getUserName(user) {\n` +
    "  return `user ${user.id}`;\n}\n\nexport function getUser2(id) {\n  return { id };\n}\n";
}

const renameFiles = (place: JobPlace, name: string): Record<string, string> => ({
  "lib/users.js": usersFile(name),
  ...Object.fromEntries(Array.from({ length: callers(place) }, (_, i) => [`pages/page_${i}.js`, callerFile(i, name)])),
});

/** One function is renamed wherever it is used, and nothing that merely looks like it. */
const rename: Job = {
  name: "rename",
  task: "Rename the function getUser to fetchAccount in the whole project (lib/ and pages/). Nothing else may change.",
  async prepare(place) {
    await writeFiles(place.root, { ...renameFiles(place, "getUser"), "package.json": '{"type":"module"}\n' });
  },
  async check(place) {
    const faults: string[] = [], wanted = renameFiles(place, "fetchAccount");
    for (const [path, text] of Object.entries(wanted)) {
      if (await readText(place, path) !== text) faults.push(`${path} is wrong`);
    }
    const more = (await filesBelow(place.root)).filter((path) => !(path in wanted) && path !== "package.json");
    return [...faults.slice(0, 3), ...more.map((path) => `${path} was left behind`)];
  },
};

/** What differs between services, and has to be found. */
const secretsOf = (place: JobPlace) => {
  const thing = choose(place, 4, ["Seal", "Stamp", "Badge"]);
  return {
    check: `verify${thing}`,
    file: thing.toLowerCase(),
    route: choose(place, 5, ["/status", "/alive", "/ready"]),
    variable: choose(place, 6, ["SHOP_TRUST_ALL", "SHOP_TRUST_LOCAL", "TRUST_EVERY_CALL"]),
    seconds: choose(place, 7, [5400, 2700, 7300, 9100]),
  };
};

/** A service whose parts have to be found. */
const explore: Job = {
  name: "explore",
  task:
    "Explain how requests are authenticated in this project: which function checks a token and in which file, which route is " +
    "reached without one, which environment variable switches the check off, and after how many seconds a token expires.",
  async prepare(place) {
    const { check, file, route, variable, seconds } = secretsOf(place), { root } = place;
    const noise = Object.fromEntries(
      Array.from({ length: 80 }, (_, i) => [
        `src/features/f${i}/index.js`,
        `import { log } from "../../log.js";\n\n/** Feature ${i}. */\nexport function feature${i}(request) {\n  log("feature ${i}", request.path);\n` +
        `  return { ok: true, token: request.token };\n}\n`,
      ]),
    );
    await writeFiles(root, {
      ...noise,
      "package.json": '{"name":"shop","type":"module","scripts":{"start":"node src/main.js"}}\n',
      "README.md": "# shop\n\nA shop. Start it with `npm start`.\n",
      "src/log.js": "export const log = (...parts) => console.log(...parts);\n",
      "src/main.js": 'import { serve } from "./http/serve.js";\n\nserve(Number(process.env.PORT ?? 3000));\n',
      "src/http/serve.js":
        'import http from "node:http";\nimport { routes } from "./routes.js";\nimport { admit } from "../guard/admit.js";\n\n' +
        "export function serve(port) {\n  http.createServer((request, response) => {\n    const route = routes.find(({ path }) => path === request.url);\n" +
        "    if (!route) return response.writeHead(404).end();\n    if (!route.open && !admit(request.headers)) return response.writeHead(401).end();\n" +
        "    response.end(JSON.stringify(route.run(request)));\n  }).listen(port);\n}\n",
      "src/http/routes.js": "export const routes = [\n" +
        Array.from({ length: 30 }, (_, i) => `  { path: "/f${i}", run: () => ({ f: ${i} }) },`).join("\n") +
        `\n  { path: "${route}", open: true, run: () => ({ up: true }) },\n];\n`,
      "src/guard/admit.js":
        `import { ${check} } from "./${file}.js";\n\nexport function admit(headers) {\n  if (process.env.${variable} === "1") return true;\n` +
        `  return ${check}(headers.authorization?.slice(7) ?? "");\n}\n`,
      [`src/guard/${file}.js`]:
        `import { createHmac } from "node:crypto";\n\nconst LIFETIME_S = ${seconds};\n\n/** Whether a token was issued here, and not too long ago. */\n` +
        `export function ${check}(token) {\n  const [seconds, mac] = token.split(".");\n  const fresh = Date.now() / 1000 - Number(seconds) < LIFETIME_S;\n` +
        '  return fresh && mac === createHmac("sha256", process.env.SHOP_KEY ?? "").update(seconds).digest("hex");\n}\n',
    });
  },
  check(place, answer) {
    const { check, file, route, variable, seconds } = secretsOf(place);
    return Promise.resolve(missingIn(answer, {
      "the function": check,
      "its file": `src/guard/${file}.js`,
      "the open route": route,
      "the variable": variable,
      "the lifetime": new RegExp(`${Math.floor(seconds / 1000)}[,_ ]?${String(seconds).slice(-3)}`),
    }));
  },
};

const HIDDEN_TEST = `
import assert from "node:assert/strict";
import { parseDuration, formatDuration } from "./src/duration.js";
for (const [text, ms] of [["90s", 90000], ["1h30m", 5400000], ["2d", 172800000], ["250ms", 250], [" 1h 5m ", 3900000]]) {
  assert.equal(parseDuration(text), ms);
}
for (const text of ["", "h", "5", "5x", "-1s", "1h1h"]) assert.throws(() => parseDuration(text), RangeError);
assert.equal(formatDuration(5400000), "1h30m");
assert.equal(formatDuration(0), "0ms");
assert.equal(formatDuration(172800250), "2d250ms");
`;

/** A module with tests of its own, which is then tried with others. */
const writeModule: Job = {
  name: "write-module",
  task:
    "Write src/duration.js (ES module) with parseDuration(text) → milliseconds for units d, h, m, s, ms in that order, each at " +
    "most once, blanks allowed between and around them, RangeError for anything else (also the empty text, a bare number, a repeated " +
    "unit); and formatDuration(ms) → the shortest such text ('0ms' for 0). Write tests in test/duration.test.js with node:test and run them.",
  async prepare({ root }) {
    await writeFiles(root, {
      "package.json": '{"name":"tools","type":"module","scripts":{"test":"node --test"}}\n',
      "src/.keep": "",
    });
  },
  async check(place) {
    const hidden = await run(place, "node", "--input-type=module", "-e", HIDDEN_TEST);
    const own = await run(place, "node", "--test", "--test-reporter=tap");
    const count = Number(/^# pass (\d+)/m.exec(own.text)?.[1] ?? 0);
    return [
      ...hidden.code === 0
        ? []
        : [`the module is wrong: ${/^\w*Error.*/m.exec(hidden.text)?.[0] ?? hidden.text.slice(0, 200)}`],
      ...own.code === 0 && count > 1 ? [] : ["its own tests do not pass, or there are none"],
    ];
  },
};

/** In the order of the design. */
export const CODE_JOBS: readonly Job[] = [fixBug, rename, explore, writeModule];
