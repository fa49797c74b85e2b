/** Column names of a known kind of bill; a file's first matching preset is used. */
export interface BillPreset {
  name: string;
  date: readonly string[];
  amount: readonly string[];
  model: readonly string[];
  /** Number of the file's units per dollar. */
  unitsPerUsd: number;
}

export const BILL_PRESETS: readonly BillPreset[] = [
  {
    name: "new-api",
    date: ["created_at", "time"],
    amount: ["quota"],
    model: ["model_name"],
    unitsPerUsd: 500_000,
  },
  {
    name: "openrouter",
    date: ["created_at", "date"],
    amount: ["cost_total", "usage", "cost"],
    model: ["model_permaslug", "model"],
    unitsPerUsd: 1,
  },
  {
    name: "anthropic",
    date: ["usage_date_utc", "date"],
    amount: ["cost_usd", "amount_usd"],
    model: ["model"],
    unitsPerUsd: 1,
  },
  {
    name: "openai",
    date: ["start_time_iso", "start_time", "date"],
    amount: ["amount_value", "cost", "amount"],
    model: ["line_item", "model"],
    unitsPerUsd: 1,
  },
];

/** The preset whose columns are all in the file. */
export const presetFor = (columns: readonly string[]): BillPreset | undefined =>
  BILL_PRESETS.find(({ date, amount, model }) =>
    [date, amount, model].every((names) => names.some((name) => columns.includes(name))),
  );
