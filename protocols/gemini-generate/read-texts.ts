import { readList, requireString } from "../shared/request/request-fields";

/** A list of strings; undefined without any. @throws RequestInvalid */
export const readTexts = (value: unknown, param: string): string[] | undefined => {
  const list = readList(value, param);
  return list.length === 0
    ? undefined
    : list.map((entry, index) => requireString(entry, `${param}[${index}]`));
};
