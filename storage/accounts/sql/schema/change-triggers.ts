import type { SchemaPart } from "../../../sql/schema-part";

/** Channel of the NOTIFY that announces new rows in `changes`; it carries no other information. */
export const CHANGES_CHANNEL = "tollgate_changes";

/** The first half of the name of the lock behind which changes are numbered, by PostgreSQL's numbers for locks. */
const NUMBERING = 7_305_807;

/** Columns of a table that nodes keep in memory, except balances, which leases share. */
interface Watched {
  /** Name of its records in the feed (contract/records/change.ts). */
  readonly of: string;
  readonly id: string;
  /** Empty where rows never change. */
  readonly columns: readonly string[];
  /** Condition on the deletions that are reported; without it all are. */
  readonly deleted?: string;
}

export const WATCHED_TABLES = ["users", "tokens", "channels", "options", "sessions"] as const;

export type WatchedTable = (typeof WATCHED_TABLES)[number];

const LIMITS = ["rpm", "tpm", "concurrency", "daily_quota", "monthly_quota"];

const WATCHED: Readonly<Record<WatchedTable, Watched>> = {
  users: {
    of: "user",
    id: "id",
    columns: [
      "username",
      "password_hash",
      "display_name",
      "role",
      "status",
      "access_token_hash",
      "group",
      ...LIMITS,
    ],
  },
  tokens: {
    of: "api-key",
    id: "id",
    columns: [
      "user_id",
      "key_hash",
      "status",
      "name",
      "expired_time",
      "unlimited_quota",
      "models",
      "subnet",
      ...LIMITS,
    ],
  },
  channels: {
    of: "channel",
    id: "id",
    columns: [
      "type",
      "key_sealed",
      "dead_keys",
      "status",
      "name",
      "weight",
      "priority",
      "base_url",
      "proxy_sealed",
      "other",
      "models",
      "model_mapping",
      "group",
    ],
  },
  options: { of: "option", id: "key", columns: ["value", "is_sealed"] },
  sessions: {
    of: "session",
    id: "id_hash",
    columns: [],
    // Every node forgets an expired session without being told.
    deleted: "OLD.expires_time > extract(epoch FROM now())",
  },
};

/** Deferred triggers see each row's final state, and write when the transaction commits. */
const triggerOf = (table: WatchedTable, name: string, event: string, when: string | undefined): string => `
CREATE CONSTRAINT TRIGGER note_${table}_${name} AFTER ${event} ON ${table} DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW ${when === undefined ? "" : `WHEN (${when})`} EXECUTE FUNCTION note_change('${WATCHED[table].of}', '${WATCHED[table].id}');`;

/**
 * Reports changes of these columns. Without `UPDATE OF`, each charge would run the trigger; without the comparison, each save
 * without a change would be reported. A migration that adds columns which nodes keep in memory adds a trigger for them: a
 * record that two triggers report is read once.
 * @param name distinguishes the trigger from the table's others.
 */
export const watchColumns = (table: WatchedTable, name: string, columns: readonly string[]): string => {
  const quoted = columns.map((column) => `"${column}"`);
  const row = (side: "OLD" | "NEW") => `(${quoted.map((column) => `${side}.${column}`).join(", ")})`;
  const when = `${row("OLD")} IS DISTINCT FROM ${row("NEW")}`;
  return triggerOf(table, name, `UPDATE OF ${quoted.join(", ")}`, when);
};

const triggersOf = (table: WatchedTable): string => {
  const { columns, deleted } = WATCHED[table];
  const changed = columns.length === 0 ? "" : watchColumns(table, "changed", columns);
  return `${triggerOf(table, "created", "INSERT", undefined)}${changed}${triggerOf(table, "removed", "DELETE", deleted)}`;
};

/** Triggers for columns that came later; their names stay as the databases of before have them. */
const LATER_COLUMNS = [
  watchColumns("users", "plans", ["plan_groups"]),
  watchColumns("tokens", "groups_changed", ["group", "auto_groups"]),
  watchColumns("tokens", "fallbacks", ["no_fallbacks"]),
  watchColumns("channels", "overrides", ["overrides_sealed"]),
  watchColumns("channels", "bought", ["buying_prices", "upstream_prices"]),
  watchColumns("channels", "changed_0011", [
    "rpm",
    "tpm",
    "concurrency",
    "key_rpm",
    "key_tpm",
    "key_concurrency",
  ]),
  watchColumns("channels", "changed_0016", ["tag", "test_model", "skips_tests", "calendar", "closed_until"]),
];

/**
 * The change feed of PostgreSQL (docs/decisions/0016-change-feed.md): a row for each change of records that nodes keep in memory,
 * on whichever node it was made.
 *
 * Numbers are in the order of commits: a row gets its number at the end of its transaction, behind a lock that is released after
 * the commit. A reader that has seen a number has seen all smaller ones, so reading on from the last one misses nothing. The
 * numbers have gaps. The table is never empty, so that a node can tell by the last number it saw whether the history is the same.
 *
 * Records that go with a removed user are not reported: the user's row implies them.
 */
export const CHANGE_TRIGGERS: SchemaPart = {
  postgres: `
CREATE TABLE changes (
  number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "of" TEXT NOT NULL,
  id TEXT NOT NULL,
  what TEXT NOT NULL,
  at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO changes ("of", id, what) VALUES ('everything', '', 'changed');

CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  changed JSONB := CASE WHEN TG_OP = 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
BEGIN
  IF TG_OP = 'DELETE' AND changed ? 'user_id'
    AND NOT EXISTS (SELECT 1 FROM users WHERE id = (changed ->> 'user_id')::bigint)
  THEN RETURN NULL; END IF;
  PERFORM pg_advisory_xact_lock(${NUMBERING}, 0);
  INSERT INTO changes ("of", id, what) VALUES (TG_ARGV[0], changed ->> TG_ARGV[1],
    CASE TG_OP WHEN 'INSERT' THEN 'created' WHEN 'UPDATE' THEN 'changed' ELSE 'removed' END);
  -- The same text many times in a transaction is told once.
  PERFORM pg_notify('${CHANGES_CHANNEL}', '');
  RETURN NULL;
END $$;
${WATCHED_TABLES.map(triggersOf).join("")}
${LATER_COLUMNS.join("")}
`,
};
