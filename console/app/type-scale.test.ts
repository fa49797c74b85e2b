import { expect, it } from "vitest";

const SOURCES = import.meta.glob<string>(["../**/*.{ts,tsx,css}", "!../**/*.test.*"], {
  query: "?raw",
  import: "default",
  eager: true,
});

/** A font size outside the theme's six. */
const OWN_SIZE = /\btext-\[[\d.]+(?:px|r?em)\]|font-size:\s*[\d.]+/;

it("every text has one of the six sizes of app.css", () => {
  const strays = Object.entries(SOURCES).flatMap(([file, source]) =>
    source.split("\n").flatMap((line) => (OWN_SIZE.test(line) ? [`${file}: ${line.trim()}`] : [])),
  );
  expect(Object.keys(SOURCES).length).toBeGreaterThan(300);
  expect(strays).toEqual([]);
});
