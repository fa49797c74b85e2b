// Runs before the first paint, so that neither the theme nor the language flashes, and starts to load the texts that the
// page names. An own file because the content security policy allows no inline script.
(() => {
  const root = document.documentElement;
  let theme = "system";
  // The languages of a first visit (lib/languages.ts), which the build writes into the page.
  const asked = Object.entries(JSON.parse(root.dataset.asked ?? "{}"));
  root.lang = asked.find(([, pattern]) => RegExp(pattern, "i").test(navigator.language))?.[0] ?? root.lang;
  try {
    theme = localStorage.getItem("theme") || "system";
    root.lang = localStorage.getItem("language") || root.lang;
  } catch {
    // Storage is forbidden: the defaults stay.
  }
  const dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = dark ? "dark" : "light";
  for (const link of document.querySelectorAll("link[data-language]"))
    if (link.dataset.language === root.lang) link.rel = "modulepreload";
})();
