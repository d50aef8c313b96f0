/** Third-party components of one executable. @module */
import type { Arch } from "../vendor.ts";
import { type Component, embeddedComponents, runtimeComponents, vendoredComponents } from "./embedded.ts";
import { npmComponents } from "./npm_components.ts";

/** The parts, packages first. @throws Error when the terms of one are not known */
export async function allComponents(arch: Arch): Promise<Component[]> {
  const packages = await npmComponents();
  const server = packages.find(({ name }) => name === "@modelcontextprotocol/server");
  return [
    ...packages,
    ...server === undefined ? [] : await vendoredComponents(server),
    ...await embeddedComponents(arch),
    ...await runtimeComponents(),
  ];
}
