export type Language = "zh" | "en";

/** The language of a reader: Chinese unless the first language that it asks for is English. */
export const languageOf = (acceptLanguage: string | undefined): Language =>
  acceptLanguage !== undefined && /^\s*en\b/i.test(acceptLanguage) ? "en" : "zh";
