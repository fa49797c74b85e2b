const SUMS = [
  "lines",
  "requests",
  "errors",
  "prompt_tokens",
  "completion_tokens",
  "quota",
  "duration_ms",
  "first_byte_ms",
  "streams",
];
const ADDED_UP = SUMS.map((column) => `sum(${column})`).join(", ");

const createTable = (table: string, ...keys: string[]): string => `
CREATE TABLE ${table} (
  ${[...keys, ...SUMS].map((column) => `${column} INTEGER NOT NULL`).join(",\n  ")},
  PRIMARY KEY (${keys.join(", ")})
) WITHOUT ROWID;
`;

/**
 * Smaller tables of sums for what is asked for most. `model_hours` and `channel_hours` are kept with `site_hours`, which
 * tells more apart than most questions need. The tables of shifts and weeks have the payers' sums of whole thirds of a day
 * and of seven days (UTC, counted from 1970). A shift is added to them once, some time after its end
 * (storage/log/shifts.ts), because a request should not pay for it: the migration leaves these tables empty, and what is
 * not there yet is read from the hours.
 */
export const usageSums = {
  name: "log-file-0002-usage-sums",
  sql: [
    createTable("model_hours", "hour", "model_id"),
    `INSERT INTO model_hours SELECT hour, model_id, ${ADDED_UP} FROM site_hours GROUP BY hour, model_id;`,
    createTable("channel_hours", "hour", "channel_id"),
    `INSERT INTO channel_hours SELECT hour, channel_id, ${ADDED_UP} FROM site_hours GROUP BY hour, channel_id;`,
    createTable("payer_shifts", "shift", "payer_id"),
    createTable("payer_model_shifts", "shift", "model_id", "payer_id"),
    createTable("payer_channel_shifts", "shift", "channel_id", "payer_id"),
    createTable("payer_weeks", "week", "payer_id"),
    createTable("payer_model_weeks", "week", "model_id", "payer_id"),
    createTable("payer_channel_weeks", "week", "channel_id", "payer_id"),
    createTable("detail_weeks", "week", "model_id", "channel_id", "payer_id"),
  ].join("\n"),
};
