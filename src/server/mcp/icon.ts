/** Server icon: small, because the newer protocol repeats it in every result but those of tools. @module */

const SVG = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>" +
  "<path d='M1 2l3 3-3 3m4 0h3' fill='none' stroke='#08f'/></svg>";

/** In the form in which `serverInfo` carries it. */
export const ICON = {
  src: `data:image/svg+xml,${SVG.replace(/[<># ]/g, encodeURIComponent)}`,
  mimeType: "image/svg+xml",
};
