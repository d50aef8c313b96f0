// Turns HTML of the server into elements while what a person has focused, scrolled or opened stays as it is.

// The only way in which this page may turn text into elements; the text is the server's, which has escaped it.
const policy = globalThis.trustedTypes?.createPolicy("llmc", { createHTML: (text) => text }) ??
  { createHTML: (text) => text };

const parse = (html) => new DOMParser().parseFromString(policy.createHTML(html), "text/html").body;

/** Makes an element look like another one while what a person has focused, scrolled or opened stays as it is. */
function morph(from, to) {
  if (from.dataset?.armed) return;
  for (const { name } of [...from.attributes]) if (!to.hasAttribute(name)) from.removeAttribute(name);
  for (const { name, value } of to.attributes) {
    if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  morphChildren(from, to);
}

function morphChildren(from, to) {
  const wantedIds = new Set([...to.children].map(({ id }) => id).filter(Boolean));
  const known = new Map([...from.children].filter(({ id }) => id).map((child) => [child.id, child]));
  let at = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    // What is gone goes first, because moving what stays would take the focus from it.
    while (at?.id && !wantedIds.has(at.id)) at = removed(at);
    const match = wanted.id ? known.get(wanted.id) : isAlike(at, wanted) ? at : undefined;
    if (!match) {
      from.insertBefore(wanted, at);
      appear(wanted);
      continue;
    }
    if (match === at) at = at.nextSibling;
    else from.insertBefore(match, at);
    if (wanted.nodeType === Node.ELEMENT_NODE) morph(match, wanted);
    else if (match.data !== wanted.data) match.data = wanted.data;
  }
  while (at) at = removed(at);
}

function isAlike(node, wanted) {
  return node && !node.id && node.nodeType === wanted.nodeType && node.nodeName === wanted.nodeName;
}

function removed(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

function appear(node) {
  if (!["TR", "LI"].includes(node.nodeName) || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  node.animate?.({ opacity: [0.15, 1] }, { duration: 500, easing: "ease-out" });
}

/** Output is read at its end, unless somebody scrolled away from there. */
function keepingTails(part, change) {
  const atEnd = (pre) => pre.scrollTop + pre.clientHeight >= pre.scrollHeight - 8;
  const scrolledAway = new Set([...part.querySelectorAll("pre.tail")].filter((pre) => !atEnd(pre)));
  change();
  for (const pre of part.querySelectorAll("pre.tail")) {
    if (!scrolledAway.has(pre)) pre.scrollTop = pre.scrollHeight;
  }
}

/** Shows HTML in an element, with as little change as it takes. */
export function showHtml(element, html) {
  keepingTails(element, () => morphChildren(element, parse(html)));
}

/** Empties an element. */
export function dropHtml(element) {
  element.replaceChildren();
}
