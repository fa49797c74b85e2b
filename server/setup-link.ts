import { fillText } from "./locales/fill-text";
import { LANGUAGES, PEOPLES_LANGUAGE, PROGRAMS_LANGUAGE } from "./locales/languages";

/** Addresses that a server listens on and no client can open. */
const EVERYWHERE = /^http:\/\/(0\.0\.0\.0|\[::\]):/;

/** The reader of the terminal is unknown. */
const TEXTS = [LANGUAGES[PEOPLES_LANGUAGE].setupLink, LANGUAGES[PROGRAMS_LANGUAGE].setupLink];

/**
 * Text for the terminal while root has no password: the link that sets it. The code follows the "#", which browsers
 * never send, so that it is in no proxy's log.
 * @param url of the server.
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
