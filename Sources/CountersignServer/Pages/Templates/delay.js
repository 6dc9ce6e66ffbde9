// Enables the buttons of a page after a delay; the server demands the same delay, with this script or without.
"use strict";
for (const button of document.querySelectorAll("button[data-ready-in]")) {
  button.disabled = true;
  setTimeout(() => { button.disabled = false; }, 1000 * button.dataset.readyIn);
}
