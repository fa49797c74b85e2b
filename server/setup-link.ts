import { fillText } from "./locales/fill-text";
import { LANGUAGES, PEOPLES_LANGUAGE, PROGRAMS_LANGUAGE } from "./locales/languages";

/** Addresses that a server listens on and no client can open. */
const EVERYWHERE = /^http:\/\/(0\.0\.0\.0|\[::\]):/;

/** It is not known who reads the terminal. */
const TEXTS = [LANGUAGES[PEOPLES_LANGUAGE].setupLink, LANGUAGES[PROGRAMS_LANGUAGE].setupLink];

/**
 * What the terminal says while root has no password: the link that sets it. The code stands behind the "#", which browsers
 * never send, so that no log of a proxy has it.
 * @param url where the server listens.
 */
export const describeSetupLink = (url: string, code: string): string => {
  const isEverywhere = EVERYWHERE.test(url);
  const base = url.replace(EVERYWHERE, "http://127.0.0.1:");
  const address = base.slice("http://".length);
  return [
    "",
    ...TEXTS.map(({ open }) => open),
    "",
    `    ${base}/setup#${code}`,
    "",
    ...(isEverywhere ? [...TEXTS.map(({ elsewhere }) => fillText(elsewhere, { address })), ""] : []),
  ].join("\n");
};
