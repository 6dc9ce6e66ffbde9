// Registers the browser for push messages, and hands its address to the form.
"use strict";
(() => {
  const form = document.querySelector("form[data-push-key]");
  if (!form || !navigator.serviceWorker || !window.PushManager || !window.Notification) return;
  form.closest("section").hidden = false;
  form.hidden = false;
  const failure = form.querySelector("[data-failure]");

  const subscribe = async ({ worker, scope, pushKey }) => {
    if ((await Notification.requestPermission()) !== "granted") throw new Error("not allowed");
    await navigator.serviceWorker.register(worker, { scope });
    const { pushManager } = await navigator.serviceWorker.ready;
    // The address of an earlier person at this browser is given up.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
  };

  form.addEventListener("submit", async (event) => {
    if (form.elements.subscription.value) return;
    event.preventDefault();
    failure.hidden = true;
    try {
      form.elements.subscription.value = JSON.stringify(await subscribe(form.dataset));
      form.requestSubmit();
    } catch {
      failure.hidden = false;
    }
  });

  // A page that comes back out of the browser's memory asks anew.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) form.elements.subscription.value = "";
  });
})();
