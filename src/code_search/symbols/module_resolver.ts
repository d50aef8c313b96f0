/** Finds the file that an import means; of a Go package one of its files. @module */
import { parentOf } from "../../core/path.ts";
import { makeImportResolver } from "../imports.ts";

/** Makes the resolver over the files of a tree. */
export function makeModuleResolver(paths: readonly string[]): (from: string, target: string) => string | undefined {
  const resolve = makeImportResolver(paths);
  const packages = new Map<string, string>();
  for (const path of paths) {
    if (path.endsWith(".go") && !path.endsWith("_test.go") && !packages.has(parentOf(path))) {
      packages.set(parentOf(path), path);
    }
  }
  return (from, target) => {
    if (!from.endsWith(".go")) return resolve(from, target);
    const parts = target.split("/");
    for (let used = 0; used <= parts.length; used++) {
      const found = packages.get(parts.slice(used).join("/"));
      // the package at the root of the tree goes by the name of its module, which begins with a host
      if (found !== undefined && (used < parts.length || parts[0]?.includes("."))) return found;
    }
    return undefined;
  };
}
