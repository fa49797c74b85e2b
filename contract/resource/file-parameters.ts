/* The parameters of calls that answer files; such calls are not part of the contract. */

export const FORMAT_PARAMETER = {
  format:
    "`csv` (RFC 4180 with a byte order mark; a text that a spreadsheet would take for a formula begins with a ') or `jsonl`, one JSON object per line.",
  check:
    "`true`: makes no file, and only reports whether one would be begun now. A page asks this before its browser saves the file, because a browser does not show the reason for a refusal.",
};
export const CLOCK_PARAMETERS = {
  ...FORMAT_PARAMETER,
  offset_minutes: "The offset from UTC of the times in the file, which are ISO 8601.",
};
export const FOUND_PARAMETER = { keyword: "Only rows that a search for this text finds." };
