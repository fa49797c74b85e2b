import { isRecord, readArray, readString } from "../shared/json/json-values";

/** The source documents of an answer, as a list below it; "" without any. */
export const referenceList = (documents: unknown): string => {
  const lines = readArray(documents)
    .filter(isRecord)
    .map(({ title, url }, index) => `${index + 1}. [${readString(title)}](${readString(url)})`);
  return lines.length === 0 ? "" : `\n\n${lines.join("\n")}`;
};
