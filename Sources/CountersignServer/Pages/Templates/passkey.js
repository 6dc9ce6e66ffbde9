// Hands what a form asks to the browser's passkeys, and the answer to the form.
"use strict";
(() => {
  const passkeys = window.PublicKeyCredential;
  if (!navigator.credentials || !passkeys?.parseRequestOptionsFromJSON || !passkeys.prototype.toJSON) return;

  // The request that waits until the person chooses a passkey in a field of the page.
  let waiting = null;

  const ask = (form, more) => {
    const options = JSON.parse(form.dataset.options);
    return form.dataset.passkey === "create"
      ? navigator.credentials.create({ publicKey: passkeys.parseCreationOptionsFromJSON(options) })
      : navigator.credentials.get({ publicKey: passkeys.parseRequestOptionsFromJSON(options), ...more });
  };

  const send = (form, credential, button) => {
    form.elements.credential.value = JSON.stringify(credential.toJSON());
    form.requestSubmit(button);
  };

  const offer = async (form) => {
    if (!(await passkeys.isConditionalMediationAvailable?.())) return;
    waiting = new AbortController();
    try {
      send(form, await ask(form, { mediation: "conditional", signal: waiting.signal }));
    } catch {
      // The person signs in otherwise.
    }
  };

  for (const form of document.querySelectorAll("form[data-passkey]")) {
    form.closest("[data-needs-passkeys]")?.removeAttribute("hidden");
    const failure = form.querySelector("[data-failure]");
    form.addEventListener("submit", async (event) => {
      const button = event.submitter;
      if (form.elements.credential.value || button?.value === "deny") return;
      event.preventDefault();
      waiting?.abort();
      if (failure) failure.hidden = true;
      try {
        send(form, await ask(form), button);
      } catch {
        if (failure) failure.hidden = false;
      }
    });
    if (form.dataset.passkey === "offer") offer(form);
  }

  // A page that comes back out of the browser's memory asks anew.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) for (const form of document.querySelectorAll("form[data-passkey]")) form.elements.credential.value = "";
  });
})();
