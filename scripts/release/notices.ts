/** Writes THIRD_PARTY_NOTICES: the authors of the executable's parts, and their licences. @module */
import type { Component } from "./embedded.ts";
import { PRODUCT } from "./product.ts";

/** Parts with the same terms share one text. */
export function renderNotices(components: readonly Component[]): string {
  const byText = new Map<string, Component[]>();
  for (const component of components) {
    const text = component.licenseText.trim();
    byText.set(text, [...byText.get(text) ?? [], component]);
  }
  const sections = [...byText].map(([text, parts]) => {
    const names = parts.map(({ name, version, license }) => `${name} ${version} (${license})`);
    return `${RULE}\n${names.join("\n")}\n${RULE}\n\n${text}\n`;
  });
  const head =
    `${PRODUCT.name} ${PRODUCT.version} is under the MIT licence (see LICENSE). Its executable also holds the parts below,
each under the terms that follow its name.
`;
  return `${head}\n${sections.join("\n")}`;
}

const RULE = "-".repeat(80);
