/**
 * Embedded components that are not npm modules: the runtime, ripgrep, grammars, with their authors and licences.
 * @module
 */
import lock from "../vendor.lock.json" with { type: "json" };
import { ROOT } from "../project.ts";
import type { Arch } from "../vendor.ts";

/** One third-party component, as inventories and notices need it. */
export interface Component {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** Full text of the licence, with the copyright lines. */
  readonly licenseText: string;
  /** Where it comes from. */
  readonly purl: string;
  readonly kind: "library" | "application" | "platform";
  readonly hash?: { readonly algorithm: "SHA-256" | "SHA-512"; readonly hex: string };
}

/** Terms of a part: which text, and the lines that stand before it. */
interface Terms {
  readonly name: string;
  readonly license: "MIT" | "BSD-3-Clause";
  readonly copyright: string;
}

const mit = (name: string, copyright: string): Terms => ({ name, license: "MIT", copyright });

const GRAMMARS: Readonly<Record<string, Terms>> = {
  bash: mit("tree-sitter-bash", "2017 Max Brunsfeld"),
  c: mit("tree-sitter-c", "2014 Max Brunsfeld"),
  cpp: mit("tree-sitter-cpp", "2014 Max Brunsfeld"),
  csharp: mit("tree-sitter-c-sharp", "2014-2023 Max Brunsfeld, Damien Guard, Amaan Qureshi, and contributors"),
  go: mit("tree-sitter-go", "2014 Max Brunsfeld"),
  java: mit("tree-sitter-java", "2017 Ayman Nadeem"),
  javascript: mit("tree-sitter-javascript", "2014 Max Brunsfeld"),
  php: mit(
    "tree-sitter-php",
    "2017 Josh Vera, GitHub; 2019 Max Brunsfeld, Amaan Qureshi, Christian Frøystad, Caleb White",
  ),
  python: mit("tree-sitter-python", "2016 Max Brunsfeld"),
  ruby: mit("tree-sitter-ruby", "2016 Rob Rix"),
  rust: mit("tree-sitter-rust", "2017 Maxim Sokolov"),
  tsx: mit("tree-sitter-typescript (tsx)", "2017 Max Brunsfeld"),
  typescript: mit("tree-sitter-typescript", "2017 Max Brunsfeld"),
};

/** Terms of each embedded file by its asset name. */
function termsOf(asset: string): readonly Terms[] {
  // PCRE2 is linked into ripgrep.
  if (asset === "rg") {
    return [
      mit("ripgrep", "2015 Andrew Gallant"),
      {
        name: "PCRE2 (in ripgrep)",
        license: "BSD-3-Clause",
        copyright: "1997-2007 University of Cambridge; 2007-2024 Philip Hazel; 2009-2024 Zoltan Herczeg",
      },
    ];
  }
  if (asset === "tree-sitter.wasm.bin") return [mit("tree-sitter", "2018 Max Brunsfeld")];
  if (asset === "quickjs.wasm.bin") {
    return [
      mit("quickjs", "2017-2024 Fabrice Bellard; 2017-2024 Charlie Gordon"),
      mit("quickjs-emscripten (its WebAssembly)", "2019-2024 Jake Teton-Landis"),
    ];
  }
  const grammar = GRAMMARS[asset.replace(/^grammars\/(.*)\.grammar$/, "$1")];
  if (grammar === undefined) throw new Error(`${asset}: scripts/release/embedded.ts does not say under which terms`);
  return [grammar];
}

/** The embedded files for one architecture, each with the hash that vendoring checks. */
export async function embeddedComponents(arch: Arch): Promise<Component[]> {
  const components: Component[] = [];
  for (const { asset, arch: only, package: source, sha256 } of lock.assets) {
    if (only !== undefined && only !== arch) continue;
    const version = source.slice(source.lastIndexOf("@") + 1);
    for (const terms of termsOf(asset)) {
      components.push({
        ...await describe(terms),
        version,
        purl: npmPurl(source),
        kind: asset === "rg" ? "application" : "library",
        hash: { algorithm: "SHA-256", hex: sha256 },
      });
    }
  }
  return components;
}

/** What packages carry inside their own modules, where no inventory of packages sees it. */
export async function vendoredComponents(server: Component): Promise<Component[]> {
  const parts: Terms[] = [
    mit("ajv, ajv-formats, fast-deep-equal, json-schema-traverse (in the MCP SDK)", "2015-2021 Evgeny Poberezkin"),
    {
      name: "fast-uri (in the MCP SDK)",
      license: "BSD-3-Clause",
      copyright: "2011-2021 Gary Court; 2021 The Fastify team",
    },
  ];
  return await Promise.all(parts.map(async (terms) => ({ ...server, ...await describe(terms) })));
}

/** The runtime that the executable begins with. */
export async function runtimeComponents(): Promise<Component[]> {
  const deno = await describe(mit("deno", "2018-2026 the Deno authors"));
  const v8 = await describe({
    name: "v8 (in deno)",
    license: "BSD-3-Clause",
    copyright: "2006-2026 the V8 project authors",
  });
  const common = { version: Deno.version.deno, kind: "platform" as const };
  const rest = "\nThe crates that Deno is built from are listed, with their licences, in Cargo.lock of its source.\n";
  return [
    {
      ...deno,
      ...common,
      licenseText: deno.licenseText + rest,
      purl: `pkg:github/denoland/deno@v${Deno.version.deno}`,
    },
    { ...v8, ...common, version: Deno.version.v8, purl: `pkg:github/v8/v8@${Deno.version.v8.replace(/-rusty$/, "")}` },
  ];
}

async function describe(
  { name, license, copyright }: Terms,
): Promise<Pick<Component, "name" | "license" | "licenseText">> {
  const text = await Deno.readTextFile(`${ROOT}/packaging/licenses/${license}.txt`);
  const lines = copyright.split("; ").map((line) => `Copyright (c) ${line}`);
  return { name, license, licenseText: `${lines.join("\n")}\n\n${text}` };
}

/** The purl of `@scope/name@1.2.3`. */
export function npmPurl(specifier: string): string {
  return `pkg:npm/${specifier.replace(/^@/, "%40")}`;
}
