/** Messages of Chromium, Firefox and Safari when a file of a dynamic import does not load, and of our timeout. */
const MISSING =
  /^(Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Unable to preload|page code)/;

/** Whether the failure is code that did not load: no network, or a new version replaced the old one. */
export const isCodeMissing = (error: unknown): boolean =>
  error instanceof Error && MISSING.test(error.message);

/** Whether the console's own server answers, so that a reload can succeed. */
export const isSiteReachable = async (): Promise<boolean> => {
  try {
    return (await fetch("/", { method: "HEAD", cache: "no-store" })).ok;
  } catch {
    return false;
  }
};
