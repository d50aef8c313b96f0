/** The icon of this server, small enough to be sent with its name. @module */

const SVG = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='3'/>" +
  "<path d='M4 5l3 3-3 3m4 0h4' fill='none' stroke='#fff' stroke-width='1.5'/></svg>";

/** In the form in which `serverInfo` carries it. */
export const ICON = {
  src: `data:image/svg+xml,${encodeURIComponent(SVG)}`,
  mimeType: "image/svg+xml",
  sizes: ["any"],
};
