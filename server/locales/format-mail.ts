import type { MailKey } from "./catalogue";
import { escapeHtml } from "./escape-html";
import { fillText } from "./fill-text";
import type { Language } from "./languages";
import { type MailTemplate, mailTemplate } from "./mail-templates";

/**
 * A mail in one language.
 * @param values for its {names}; escaped in the HTML, because names and addresses come from users.
 */
export const formatMail = (
  language: Language,
  key: MailKey,
  values: Readonly<Record<string, string>>,
): MailTemplate => {
  const { subject, html } = mailTemplate(language, key);
  const escaped = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, escapeHtml(value)]),
  );
  return { subject: fillText(subject, values), html: fillText(html, escaped) };
};
