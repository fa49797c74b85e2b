/** Texts of every page are loaded with the language itself. */
export { default as base } from "./base.json";

/** The rest is loaded on the first visit to a page of its area. */
export const areas = import.meta.glob<object>(["./*.json", "!./base.json"], { import: "default" });
