/** Makes calls of one tool, for `bench/call_files.ts`: `calls.ts TOOL ARGUMENTS COUNT`. @module */
import { makeTestApp } from "../../tests/support/app.ts";

const [tool = "", args = "{}", count = "0"] = Deno.args;
await using app = await makeTestApp({ files: { "a.txt": "one\ntwo\n" } });
for (let made = 0; made < Number(count); made++) await app.result(tool, JSON.parse(args));
