/**
 * Generates the security and reliability reports from the last full runs; with --check only reports whether they are
 * outdated.
 * @module
 */
import { mutationDocument } from "./reports/mutation.ts";
import { proofDocument } from "./reports/security.ts";
import { reliabilityDocument } from "./reports/reliability.ts";
import { exists, print, ROOT } from "./project.ts";

/** A program that proves something: its results, its document, and how one becomes the other. */
interface Proof {
  readonly results: string;
  readonly document: string;
  render(json: string): string;
}

const PROOFS: readonly Proof[] = [
  {
    results: "bench/results/security_proof.json",
    document: "docs/security-proof.md",
    render: (json) => proofDocument(JSON.parse(json)),
  },
  {
    results: "bench/results/reliability_proof.json",
    document: "docs/reliability-proof.md",
    render: (json) => reliabilityDocument(JSON.parse(json)),
  },
  {
    results: "bench/results/mutation.json",
    document: "docs/mutation.md",
    render: (json) => mutationDocument(JSON.parse(json)),
  },
];

/** Keeps the results of a run and writes its document. @param document Its path from the top. */
export async function writeProof(document: string, results: unknown): Promise<void> {
  const proof = PROOFS.find((each) => each.document === document);
  if (proof === undefined) throw new Error(`nothing writes ${document}`);
  const json = `${JSON.stringify(results, null, 1)}\n`;
  await Deno.writeTextFile(`${ROOT}/${proof.results}`, json);
  await Deno.writeTextFile(`${ROOT}/${document}`, proof.render(json));
}

if (import.meta.main) {
  const onlyCheck = Deno.args.includes("--check");
  let stale = false;
  for (const { results, document, render } of PROOFS) {
    if (!await exists(`${ROOT}/${results}`)) continue; // its program never ran to its end
    const wanted = render(await Deno.readTextFile(`${ROOT}/${results}`));
    const there = await Deno.readTextFile(`${ROOT}/${document}`).catch(() => "");
    if (there === wanted) continue;
    if (onlyCheck) {
      print(`${document} is not what ${results} says: run \`deno task docs\``);
      stale = true;
    } else {
      await Deno.writeTextFile(`${ROOT}/${document}`, wanted);
      print(`wrote ${document}`);
    }
  }
  Deno.exit(stale ? 1 : 0);
}
