// Registers the browser for push messages, and hands its address to the form.
"use strict";
(() => {
  const form = document.querySelector("form[data-push-key]");
  if (!form || !navigator.serviceWorker || !window.PushManager || !window.Notification) return;
  const { worker, scope, pushKey, registered } = form.dataset;
  const [button, failure] = [form.querySelector("button"), form.querySelector("[data-failure]")];

  // Browsers drop and replace their addresses without a word, so that the registered one may be dead.
  const isRegistered = async () => {
    const registration = registered && await navigator.serviceWorker.getRegistration(scope);
    const subscription = registration && await registration.pushManager.getSubscription();
    if (!subscription) return false;
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(subscription.endpoint));
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("") === registered;
  };

  isRegistered().catch(() => false).then((isDone) => {
    form.dataset.decided = "";
    if (isDone) return;
    document.querySelector("[data-push-here]")?.remove();
    form.closest("section").hidden = false;
    form.hidden = false;
  });

  const subscribe = async () => {
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
    // A second click would give up the address of the first one.
    [failure.hidden, button.disabled] = [true, true];
    try {
      form.elements.subscription.value = JSON.stringify(await subscribe());
      form.requestSubmit();
    } catch {
      [failure.hidden, button.disabled] = [false, false];
    }
  });

  // A page that comes back, out of the browser's memory or with the state that it kept of its form, asks anew.
  window.addEventListener("pageshow", () => {
    form.elements.subscription.value = "";
    button.disabled = false;
  });
})();
