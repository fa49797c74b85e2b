/**
 * Marks texts for a model. No person reads them, so they stay English whatever the person's language is
 * (tools/texts-at-the-edge.test.ts).
 */
export const forModel = (texts: TemplateStringsArray, ...values: readonly string[]): string =>
  texts.reduce((said, text, index) => `${said}${values[index - 1] ?? ""}${text}`);
