/** Measures how long the development server takes to serve a changed source. @module */
import { copySources, Dev, LISTENING, replaceVersion } from "../../tests/support/dev_server.ts";
import { type Bound, timed } from "./bound.ts";

/** `deno task dev` from the change of a file to the line that says where the server listens. */
export function restartBound(): Bound {
  return { what: "`deno task dev` serves a changed source", limitMs: 2_000, measure: restart };
}

async function restart(): Promise<number> {
  await using tree = await copySources();
  await using dev = new Dev(tree, [Deno.execPath(), "task", "--quiet", "dev", "--port", "0"]);
  await dev.until(LISTENING);
  return await timed(async () => {
    await replaceVersion(tree, "1.2.3-changed");
    await dev.until(LISTENING);
  });
}
