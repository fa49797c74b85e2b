/* The parameters of calls that answer files; such calls are not part of the contract. */

export const FORMAT_PARAMETER = {
  format:
    "`csv` (RFC 4180 with a byte order mark; a text that a spreadsheet would take for a formula begins with a ') or `jsonl`, one JSON object per line.",
  check:
    "`true`: makes no file, and says only whether one would be begun now; a page asks so before its browser saves the file, because a browser does not show why it was refused one.",
};
export const CLOCK_PARAMETERS = {
  ...FORMAT_PARAMETER,
  offset_minutes: "Of the clock from UTC by which times are said, as ISO 8601.",
};
export const FOUND_PARAMETER = { keyword: "Only what a search for this finds." };
