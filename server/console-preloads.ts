import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The scripts of a page besides the entry's, as the build lists them (tools/lib/first-load.mjs). */
export interface Preloads {
  /** A route of the console, such as /channel/$id. */
  path: string;
  code: string[];
  /** Scripts with the page's texts, by language. */
  texts: Record<string, string[]>;
}

const segmentsOf = (path: string): string[] => path.split("/").filter((segment) => segment !== "");

/** Whether a route has this path; `$` marks a segment of any value. */
const matches = (route: readonly string[], path: readonly string[]): boolean =>
  route.length === path.length &&
  route.every((segment, index) => segment.startsWith("$") || segment === path[index]);

const FIRST_SCRIPT = '<script src="/first-paint.js">';

const linkTo = (file: string): string => `<link rel="modulepreload" crossorigin href="/${file}">`;

/** A link that first-paint.js follows if the reader's language is this one; only the browser knows that language. */
const textLinkTo = (language: string, file: string): string =>
  `<link data-language="${language}" crossorigin href="/${file}">`;

/**
 * Reads the scripts that each page of the console needs at once.
 * @param folder a built console; one without the list names no scripts.
 * @returns a function that finds the scripts of the page at a path; undefined for an unknown page.
 */
export const readPreloads = (folder: string): ((path: string) => Preloads | undefined) => {
  const file = join(folder, "preloads.json");
  const listed: Preloads[] = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
  const routes = listed
    .map((preloads) => ({ preloads, segments: segmentsOf(preloads.path) }))
    // /user/edit is a page, not the record "edit" of /user/$id.
    .sort(
      (one, other) => Number(one.preloads.path.includes("$")) - Number(other.preloads.path.includes("$")),
    );
  return (path) => {
    const segments = segmentsOf(path);
    return routes.find((route) => matches(route.segments, segments))?.preloads;
  };
};

/** Writes links to a page's scripts into its HTML: the browser loads them beside the entry instead of after it. */
export const addPreloads = (html: string, { code, texts }: Preloads): string => {
  const textLinks = Object.entries(texts).flatMap(([language, files]) =>
    files.map((file) => textLinkTo(language, file)),
  );
  return html
    .replace(FIRST_SCRIPT, () => textLinks.join("") + FIRST_SCRIPT)
    .replace("</head>", () => `${code.map(linkTo).join("")}</head>`);
};
