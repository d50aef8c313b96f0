/** The inventory is valid CycloneDX, and every part has a licence. @module */
import { Ajv } from "ajv";
import assert from "node:assert/strict";
import { packageDirs } from "../../scripts/npm_package.ts";
import { allComponents } from "../../scripts/release/components.ts";
import { renderNotices } from "../../scripts/release/notices.ts";
import { renderSbom } from "../../scripts/release/sbom.ts";
import lock from "../../scripts/vendor.lock.json" with { type: "json" };
import configuration from "../../deno.json" with { type: "json" };

const SCHEMAS = ["spdx", "jsf-0.82", "bom-1.6"];

Deno.test("the inventory", async (t) => {
  const components = await allComponents("x86_64");
  const sbom = renderSbom(components, "a".repeat(64), 1_790_000_000);

  await t.step("is valid by the official schema", async () => {
    const specifier = configuration.imports["@cyclonedx/cyclonedx-library"].replace("npm:", "");
    const dir = (await packageDirs([specifier])).get(specifier);
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const address = (name: string) => `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`;
    for (const name of SCHEMAS) {
      const text = await Deno.readTextFile(`${dir}/res/schema/${name}.SNAPSHOT.schema.json`);
      ajv.addSchema(JSON.parse(text), address(name)); // they refer to each other by these names
    }
    const isValid = ajv.validate(address("bom-1.6"), JSON.parse(sbom));
    assert.ok(isValid, ajv.errorsText());
  });

  await t.step("names what is imported, embedded and underneath", () => {
    const names = new Set(components.map(({ name }) => name));
    for (const name of ["hono", "zod", "@modelcontextprotocol/server", "ripgrep", "tree-sitter-python", "deno"]) {
      assert.ok(names.has(name), name);
    }
    for (const name of ["typescript", "autocannon", "lodash"]) assert.ok(!names.has(name), `${name} is for tests only`);
    const embedded = new Set(components.map(({ hash }) => hash?.hex));
    for (const { asset, arch, sha256 } of lock.assets) {
      if (arch === undefined || arch === "x86_64") assert.ok(embedded.has(sha256), asset);
    }
  });

  await t.step("has a licence text and a hash for every part", () => {
    for (const { name, license, licenseText, hash, kind } of components) {
      assert.match(license, /^(?:[A-Z]|0BSD)/, name);
      assert.ok(licenseText.length > 500, `${name}: ${licenseText}`);
      if (kind !== "platform") assert.ok(hash, `${name} has no hash`);
    }
  });

  await t.step("becomes notices that name every part with its terms", () => {
    const notices = renderNotices(components);
    for (const { name, version } of components) assert.ok(notices.includes(`${name} ${version} (`), name);
    assert.match(notices, /Copyright \(c\) 2015 Andrew Gallant/);
  });
});
