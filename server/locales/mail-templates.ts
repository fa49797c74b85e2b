/// <reference types="vite/types/importMeta.d.ts" />
import type { MailKey } from "./catalogue";
import type { Language } from "./languages";

/** A mail; `{names}` in its HTML are filled in escaped. */
export interface MailTemplate {
  subject: string;
  html: string;
}

/** The mails of each language: `<title>` is the subject, the rest is the text. */
const FILES = import.meta.glob<string>("./*/mails/*.html", { query: "?raw", import: "default", eager: true });

/** @see https://www.rfc-editor.org/rfc/rfc5322#section-2.2: a subject is one line. */
const TITLE = /^<title>(.*)<\/title>\n/;

/** @throws Error for a file that is missing or does not begin with its subject: languages.test.ts reads each. */
export const mailTemplate = (language: Language, key: MailKey): MailTemplate => {
  const path = `./${language}/mails/${key}.html`;
  const text = FILES[path];
  const title = text === undefined ? null : TITLE.exec(text);
  if (text === undefined || !title) throw new Error(`server/locales/${path} is missing or has no title`);
  return { subject: title[1] ?? "", html: text.slice(title[0].length).replaceAll("\n", "") };
};
