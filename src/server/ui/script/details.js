// Shows a call or a kept result over the page that led to it; the same address opens as a page of its own.
import { dropHtml, showHtml } from "./morph.js";
import { openStream } from "./stream.js";

const dialog = document.getElementById("details"), body = document.getElementById("details-body");
let stop = () => {};

/** Opens what a link leads to. */
export function openDetails({ pathname, searchParams }, onOver) {
  const name = pathname.split("/").at(-1);
  stop();
  dropHtml(body);
  stop = openStream(`page=${name}&${searchParams}`, {
    onPart: ({ id, content }) => id === name && showHtml(body, content),
    onOver() {
      dialog.close();
      onOver();
    },
  });
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

dialog.addEventListener("close", () => {
  stop();
  dropHtml(body);
});
dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside it
