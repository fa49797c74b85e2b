/** The languages in which an import speaks. */
export type Language = "en" | "zh";

/** The language of a terminal, as POSIX says it. */
export const readLanguage = ({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): Language =>
  /^zh/i.test(LC_ALL || LC_MESSAGES || LANG || "") ? "zh" : "en";

/** Cursor movements, colours and line feeds, which a name in the data may have. */
const CONTROL = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu;

/** Maximum shown characters of a name: one may be a megabyte long. */
const SHOWN = 200;

const plain = (value: string | number): string => {
  const text = String(value).replace(CONTROL, "");
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
};

/** Puts values into a text; they come from the data of another person. */
export const fillIn = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? plain(values[name] ?? "") : whole,
  );
