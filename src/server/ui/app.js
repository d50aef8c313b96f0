// Keeps an open page up to date, and lets its buttons work without loading it again. Without this script everything
// works as well, one load at a time.
"use strict";

(() => {
  const RETRY_MS = 3_000;
  const ASK_MS = 4_000;
  const ownTitle = document.title;

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

  function showPart({ id, content }) {
    const part = document.getElementById(id);
    if (!part?.hasAttribute("data-part")) return;
    keepingTails(part, () => morphChildren(part, parse(content)));
    const waiting = document.querySelectorAll(".question").length;
    document.title = waiting > 0 ? `(${waiting}) ${ownTitle}` : ownTitle;
  }

  function showLink(text, state) {
    const link = document.getElementById("link");
    if (!link) return;
    if (link.textContent !== text) link.textContent = text;
    link.className = `link ${state}`;
  }

  function connect(address) {
    const source = new EventSource(address);
    source.addEventListener("open", () => showLink("live", "on"));
    source.addEventListener("part", (event) => showPart(JSON.parse(event.data)));
    source.addEventListener("over", () => location.reload());
    source.addEventListener("error", () => {
      showLink("not connected", "off");
      source.close();
      setTimeout(() => retry(address), RETRY_MS);
    });
  }

  /** Whether the server is away, or does not know this browser any more. */
  async function retry(address) {
    try {
      const answer = await fetch(location.pathname, { method: "HEAD", redirect: "manual" });
      if (answer.ok) connect(address);
      else if (answer.status >= 500 || answer.status === 429) setTimeout(() => retry(address), RETRY_MS);
      else location.reload();
    } catch {
      setTimeout(() => retry(address), RETRY_MS);
    }
  }

  function say(text) {
    const place = document.getElementById("said");
    if (place) place.textContent = text;
  }

  /** The first press asks, the second one does it. */
  function asksFirst(button) {
    const question = button.dataset.asks;
    if (!question || button.dataset.armed) return false;
    const { textContent } = button, label = button.getAttribute("aria-label");
    button.dataset.armed = "yes";
    button.textContent = question;
    button.setAttribute("aria-label", question);
    setTimeout(() => {
      delete button.dataset.armed;
      button.textContent = textContent;
      button.setAttribute("aria-label", label);
    }, ASK_MS);
    return true;
  }

  async function act(form, button) {
    if (asksFirst(button)) return;
    const body = new URLSearchParams(new FormData(form, button)); // first, because a disabled button is no part of it
    button.disabled = true;
    try {
      const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
      if (answer.status === 401 || answer.status === 403) return location.reload();
      const { said, message } = await answer.json();
      say(said ?? message ?? "");
    } catch {
      say("The server did not answer; nothing is known of what it did.");
    } finally {
      button.disabled = false;
    }
  }

  document.addEventListener("submit", (event) => {
    if (event.target.id !== "act" || !event.submitter) return;
    event.preventDefault();
    void act(event.target, event.submitter);
  });
  for (const pre of document.querySelectorAll("pre.tail")) pre.scrollTop = pre.scrollHeight;
  const { stream } = document.body.dataset;
  if (stream) connect(stream);
})();
