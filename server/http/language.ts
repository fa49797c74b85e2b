export type Language = "zh" | "en";

const of = (acceptLanguage: string | undefined, otherwise: Language): Language => {
  const first = acceptLanguage === undefined ? undefined : /^\s*(en|zh)\b/i.exec(acceptLanguage)?.[1];
  return first === undefined ? otherwise : first.toLowerCase() === "en" ? "en" : "zh";
};

/** The language of a reader of the console and of /api: Chinese unless the first language that it asks for is English. */
export const languageOf = (acceptLanguage: string | undefined): Language => of(acceptLanguage, "zh");

/**
 * The language of a program's reader: English unless the first language that it asks for is Chinese. SDKs ask for none
 * (or for "*"), and everything else that they say is English.
 */
export const programLanguageOf = (acceptLanguage: string | undefined): Language => of(acceptLanguage, "en");
