// Shows times in the zone of the browser, on the pages of people who chose none, and offers that zone where one is chosen.
"use strict";
(() => {
  const language = document.documentElement.lang;

  const show = (time) => {
    const written = time.textContent.match(/^(.*?)\d\d:\d\d(:\d\d)? UTC$/);
    const instant = new Date(time.dateTime);
    if (!written || Number.isNaN(instant.getTime())) return;
    const second = written[2] ? "2-digit" : undefined;
    const clock = { hour: "2-digit", minute: "2-digit", second, hourCycle: "h23" };
    const day = /\d{4}, $/.test(written[1]) ? `${instant.toLocaleDateString(language, { dateStyle: "long" })}, ` : written[1];
    time.textContent = day + instant.toLocaleTimeString(language, clock);
  };

  const showAll = () => document.querySelectorAll("time[datetime]").forEach(show);
  showAll();
  new MutationObserver(showAll).observe(document.body, { childList: true, subtree: true });

  const zone = document.querySelector("select[data-zone]");
  if (zone && !zone.value) {
    zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (zone.selectedIndex < 0) zone.value = "";
  }
})();
