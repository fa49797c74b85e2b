/** What every page needs comes with the language itself. */
export { default as base } from "./base.json";

/** The rest is fetched when a page of its area is first visited. */
export const areas = import.meta.glob<object>(["./*.json", "!./base.json"], { import: "default" });
