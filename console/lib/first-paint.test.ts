// @vitest-environment happy-dom

import { afterEach, expect, it, vi } from "vitest";
import SCRIPT from "../public/first-paint.js?raw";
import { askedPatterns, FIRST_LANGUAGE, languageAsked } from "./languages";

/** Runs the script in a page with text files of all languages. @returns the files that it starts to load */
const paint = (browserLanguage: string): string[] => {
  vi.spyOn(navigator, "language", "get").mockReturnValue(browserLanguage);
  document.head.innerHTML = ["zh-CN", "zh-TW", "en"]
    .map((language) => `<link data-language="${language}">`)
    .join("");
  document.documentElement.lang = FIRST_LANGUAGE;
  document.documentElement.dataset.asked = JSON.stringify(askedPatterns());
  new Function(SCRIPT)();
  return [...document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')].map(
    (link) => link.dataset.language ?? "",
  );
};

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  document.head.innerHTML = "";
});

it.each(["zh-CN", "zh-TW", "zh-Hant-HK", "zh-MO", "en-GB", "fr", ""])(
  "the page begins with the texts of a first visit for a browser of %o",
  (browserLanguage) => {
    expect(paint(browserLanguage)).toEqual([languageAsked([browserLanguage])]);
    expect(document.documentElement.lang).toBe(languageAsked([browserLanguage]));
  },
);

it("the page begins with the texts of the chosen language, and with none of an unknown one", () => {
  localStorage.setItem("language", "en");
  expect(paint("zh-TW")).toEqual(["en"]);
  localStorage.setItem("language", '"]');
  expect(paint("zh-TW")).toEqual([]);
});
