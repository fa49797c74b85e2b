// Runs before the first paint, so that neither the theme nor the language flashes. An own file because the content
// security policy allows no inline script.
(() => {
  const root = document.documentElement;
  let theme = "system";
  try {
    theme = localStorage.getItem("theme") || "system";
    root.lang = localStorage.getItem("language") || "zh-CN";
  } catch {
    // Storage is forbidden: the defaults stay.
  }
  const dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = dark ? "dark" : "light";
})();
