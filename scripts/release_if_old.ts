/** Makes the release when it is missing or older than its sources. @module */
import { newestMs, newestSourceMs } from "./build.ts";
import { print, ROOT, runDeno } from "./project.ts";
import { RELEASE_DIR } from "./release/product.ts";

/** What goes into packages beside the executable. */
const INGREDIENTS = ["packaging", "deploy", "docs", "README.md", "Dockerfile"];

/** Makes it. @throws Error when there is none afterwards */
export async function releaseIfOld(): Promise<void> {
  const ingredients = await Promise.all(INGREDIENTS.map((path) => newestMs(`${ROOT}/${path}`)));
  if (await newestMs(`${RELEASE_DIR}/SHA256SUMS`) > Math.max(await newestSourceMs(), ...ingredients)) return;
  print("release: missing or older than its sources");
  const { ok, output } = await runDeno(["run", "-A", "scripts/release.ts"]);
  print(output.trim());
  if (!ok) throw new Error("there is no release to test");
}
