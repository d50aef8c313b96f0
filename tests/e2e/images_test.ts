/** Images are returned as image content, over every transport. @module */
import assert from "node:assert/strict";
import { Sandbox, startHttp } from "../support/binary.ts";
import { httpFaces, SDK_TIMERS, stdioFaces } from "../support/faces.ts";
import { ask, WITHOUT_LIMITS } from "../support/raw_http.ts";

/** One pixel each. */
const IMAGES = {
  "image/png": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==",
  "image/gif": "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
  "image/webp": "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA",
  "image/jpeg":
    "/9j/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k=",
};
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>\n';

Deno.test("linux_fs_read shows images of a bounded size to the model, and SVG as text", SDK_TIMERS, async (t) => {
  await using sandbox = await Sandbox.make({ "drawing.svg": SVG });
  for (const [type, data] of Object.entries(IMAGES)) {
    await Deno.writeFile(`${sandbox.root}/${type.slice(6)}`, Uint8Array.fromBase64(data));
  }
  const large = new Uint8Array(512 * 1024 + 1);
  large.set(Uint8Array.fromBase64(IMAGES["image/png"]));
  await Deno.writeFile(`${sandbox.root}/large`, large);
  await using server = await startHttp(sandbox, { args: WITHOUT_LIMITS });
  for (const face of [...stdioFaces(sandbox), ...httpFaces(server)]) {
    await t.step(face.label, async () => {
      await using client = await face.connect();
      const read = async (path: string) =>
        (await client.callTool({ name: "linux_fs_read", arguments: { path } })).content;
      for (const [type, data] of Object.entries(IMAGES)) {
        const [text, image] = await read(type.slice(6));
        assert.match(text?.type === "text" ? text.text : "", new RegExp(`${type}, \\d+`));
        assert.deepEqual(image, { type: "image", mimeType: type, data });
      }
      const drawing = await read("drawing.svg");
      assert.deepEqual(drawing, [{ type: "text", text: SVG.trimEnd() }]);
      const [said, ...more] = await read("large");
      assert.match(said?.type === "text" ? said.text : "", /image\/png.*too large to be shown: over 512/);
      assert.deepEqual(more, []);
    });
  }
  await t.step("REST answers with the description alone", async () => {
    const body = JSON.stringify({ session_id: "s", name: "linux_fs_read", args: { path: "png" } });
    const { body: answer } = await ask(server, { body });
    assert.match(answer, /image\/png/);
    assert.ok(!answer.includes(IMAGES["image/png"]));
  });
});
