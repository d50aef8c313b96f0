import assert from "node:assert/strict";
import lock from "../../scripts/vendor.lock.json" with { type: "json" };
import { vendor } from "../../scripts/vendor.ts";
import { makeAssets } from "../../src/sys/assets.ts";

Deno.test("vendor.lock.json pins exact packages and whole hashes, and no name that deno compile takes for a module", () => {
  for (const entry of lock.assets) {
    assert.match(entry.package, /^(?:@[\w-]+\/)?[\w-]+@\d+\.\d+\.\d+$/);
    assert.match(entry.sha256, /^[0-9a-f]{64}$/);
    assert.doesNotMatch(entry.asset, /\.(?:wasm|[cm]?[jt]sx?|json)$/);
    assert.ok(entry.size_bytes > 0);
  }
});

Deno.test("vendor.lock.json has ripgrep for each architecture once, and every name once within one", () => {
  for (const arch of ["x86_64", "aarch64"]) {
    const names = lock.assets.filter((entry) => entry.arch === undefined || entry.arch === arch).map(({ asset }) =>
      asset
    );
    assert.equal(new Set(names).size, names.length);
    assert.ok(names.includes("rg"));
  }
});

Deno.test("vendor leaves complete assets alone, and what it lists is what can be read", async () => {
  assert.equal(await vendor(), false);
  const assets = makeAssets();
  for (const [name, { sizeBytes }] of Object.entries(await assets.list())) {
    assert.equal((await assets.read(name)).length, sizeBytes, name);
  }
});
