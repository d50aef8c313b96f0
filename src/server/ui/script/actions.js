// What buttons and links do.
import { openDetails } from "./details.js";
import { post } from "./key.js";

const ASK_MS = 4_000, COPIED_MS = 1_500;

/** @param onOver Called when the login is over. */
export function listen(onOver) {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-act]"), copy = event.target.closest("button[data-copy]");
    const link = event.target.closest("a[data-opens]");
    if (button && !asksFirst(button)) void act(button, { act: button.dataset.act, id: button.dataset.id }, onOver);
    if (copy) void copyText(copy);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return; // opens in another tab
    event.preventDefault();
    openDetails(new URL(link.href), onOver);
  });
  document.addEventListener("submit", (event) => {
    const { act: verb, id } = event.target.dataset;
    if (verb === undefined) return;
    event.preventDefault();
    const code = String(new FormData(event.target).get("code"));
    void act(event.submitter ?? event.target.querySelector("button"), { act: verb, id, code }, onOver);
  });
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

async function act(button, fields, onOver) {
  button.disabled = true;
  try {
    const answer = await post("/ui/act", fields);
    if (answer.status === 401 || answer.status === 403) return onOver();
    const { said, message } = await answer.json();
    say(said ?? message ?? "");
  } catch {
    say("The server did not answer; whether it did this is not known.");
  } finally {
    button.disabled = false;
  }
}

function say(text) {
  document.getElementById("said").textContent = text;
}

async function copyText(button) {
  const { copy } = button.dataset, { textContent } = button;
  const isDone = await navigator.clipboard?.writeText(copy).then(() => true, () => false) ||
    copyBySelection(copy, button);
  button.textContent = isDone ? "Copied" : "Not copied";
  setTimeout(() => button.textContent = textContent, COPIED_MS);
}

/** Without HTTPS, pages of another machine have no clipboard of their own. */
function copyBySelection(text, button) {
  const field = Object.assign(document.createElement("textarea"), { value: text, className: "unseen" });
  button.after(field); // inside of an open dialog nothing else can be selected
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  button.focus();
  return isDone;
}
