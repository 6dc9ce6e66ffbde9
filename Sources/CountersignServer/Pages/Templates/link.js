// Moves the secret of a link out of the address into the form, and sends it. No browser sends what stands behind # to a server.
"use strict";
(() => {
  const form = document.querySelector("form[data-link]");
  const take = () => {
    const secret = location.hash.slice(1);
    if (!secret) return;
    history.replaceState(null, "", location.pathname);
    form.elements.link.value = secret;
    form.requestSubmit();
  };
  addEventListener("hashchange", take);
  take();
})();
