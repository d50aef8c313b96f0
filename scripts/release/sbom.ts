/** The software bill of materials of one executable, as CycloneDX 1.6 JSON. @module */
import { Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import type { Component } from "./embedded.ts";
import { PRODUCT } from "./product.ts";

const KINDS = {
  library: Enums.ComponentType.Library,
  application: Enums.ComponentType.Application,
  platform: Enums.ComponentType.Platform,
} as const;

/** Renders the inventory. @param sha256 Of the executable. @param time Seconds since 1970. */
export function renderSbom(components: readonly Component[], sha256: string, time: number): string {
  const product = new Models.Component(Enums.ComponentType.Application, PRODUCT.name, {
    version: PRODUCT.version,
    description: PRODUCT.summary,
    bomRef: PRODUCT.name,
  });
  product.licenses.add(new Models.SpdxLicense(PRODUCT.license));
  product.hashes.set(Enums.HashAlgorithm["SHA-256"], sha256);
  const bom = new Models.Bom();
  bom.metadata.component = product;
  bom.metadata.timestamp = new Date(time * 1000);
  for (const component of components) {
    const part = toPart(component);
    bom.components.add(part);
    product.dependencies.add(part.bomRef);
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function toPart({ name, version, license, purl, kind, hash }: Component): Models.Component {
  const part = new Models.Component(KINDS[kind], name, { version, purl, bomRef: `${name}@${version}` });
  part.licenses.add(new Models.LicenseExpression(license));
  if (hash) part.hashes.set(Enums.HashAlgorithm[hash.algorithm], hash.hex);
  return part;
}
