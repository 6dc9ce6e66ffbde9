// Holds a request until the page has something new to show, and shows it. Without scripts the page is loaded again and again.
"use strict";
(async () => {
  const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

  // Replaces the parts that change, or the whole content when the page is another one.
  const show = (page) => {
    document.title = page.title;
    const waiting = page.querySelector("[data-waits]");
    if (!waiting) {
      document.querySelector("main").replaceWith(page.querySelector("main"));
      const heading = document.querySelector("main h1");
      heading.tabIndex = -1;
      heading.focus();
      return;
    }
    document.querySelector("[data-waits]").dataset.waits = waiting.dataset.waits;
    for (const part of document.querySelectorAll("[data-part]")) {
      const next = page.getElementById(part.id);
      if (part.innerHTML === next.innerHTML) continue;
      part.replaceChildren(...next.childNodes);
      if (part.role === "status") part.scrollIntoView({ block: "nearest" });
    }
  };

  // A form that is on its way decides which page comes next; a page that comes back out of the browser's memory waits anew.
  const sending = new AbortController();
  addEventListener("submit", (event) => { if (!event.defaultPrevented) sending.abort(); });
  addEventListener("pageshow", (event) => { if (event.persisted && sending.signal.aborted) location.reload(); });

  while (!sending.signal.aborted) {
    const waiting = document.querySelector("[data-waits]");
    if (!waiting) return;
    const began = Date.now();
    try {
      const answer = await fetch(location.href, {
        cache: "no-store",
        redirect: "manual",
        signal: sending.signal,
        headers: { "If-None-Match": waiting.dataset.waits, "Prefer": "wait=25" },
      });
      // The person signed in in another tab, or another page tells how the request ended.
      if (answer.type === "opaqueredirect") return location.reload();
      if ([200, 410].includes(answer.status)) show(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      // The network may come back.
    }
    if (Date.now() - began < 1000) await pause(5);
  }
})();
