/** Without it Excel decodes the bytes with an old code page, which garbles Chinese. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Beginnings by which a spreadsheet takes a text for a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
const FORMULA = /^[=+\-@\t\r]|^[＝＋－＠]/;

const cell = (text: string): string => {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** A file of texts by RFC 4180; a text that a spreadsheet would take for a formula has a ' before it. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  BYTE_ORDER_MARK + rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
