/** What Chromium, Firefox and Safari say when a file of a dynamic import does not arrive, and what we say after waiting. */
const MISSING =
  /^(Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Unable to preload|page code)/;

/** Whether something failed because its code did not arrive: no network, or a new version took the old one's place. */
export const isCodeMissing = (error: unknown): boolean =>
  error instanceof Error && MISSING.test(error.message);

/** Whether the console's own server answers, so that loading the page again leads somewhere. */
export const isSiteReachable = async (): Promise<boolean> => {
  try {
    return (await fetch("/", { method: "HEAD", cache: "no-store" })).ok;
  } catch {
    return false;
  }
};
