// Shows that a screen or app asks, and opens the page where the person answers.
"use strict";
self.addEventListener("push", (event) => {
  let message = {};
  try { message = event.data.json(); } catch {}
  event.waitUntil(self.registration.showNotification(message.message || location.host, { tag: message.authId }));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(self.registration.scope));
});
