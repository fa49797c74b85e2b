/** What nodes are told by NOTIFY: that there are new rows in `changes`, which says nothing else. */
export const CHANGES_CHANNEL = "tollgate_changes";

/** The first half of the name of the lock behind which changes are numbered, by PostgreSQL's numbers for locks. */
const NUMBERING = 7_305_807;

/** What a trigger watches: the columns of a table that nodes keep in memory, but for balances, which leases share. */
interface Watched {
  readonly table: string;
  /** What changes of it are called (contract/records/change.ts). */
  readonly of: string;
  readonly id: string;
  /** None where rows are never changed. */
  readonly columns: readonly string[];
  /** Which deletions are told; all where there is none. */
  readonly deleted?: string;
}

const LIMITS = ["rpm", "tpm", "concurrency", "daily_quota", "monthly_quota"];

const WATCHED: readonly Watched[] = [
  {
    table: "users",
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
  {
    table: "tokens",
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
  {
    table: "channels",
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
  { table: "options", of: "option", id: "key", columns: ["value", "is_sealed"] },
  {
    table: "sessions",
    of: "session",
    id: "id_hash",
    columns: [],
    // One that has ended by itself is forgotten everywhere without being told.
    deleted: "OLD.expires_time > extract(epoch FROM now())",
  },
];

/**
 * Triggers see what each row becomes, and write when the transaction commits. Without `UPDATE OF`, each charge would have to
 * look; without the comparison, each save without a change would be told.
 */
const triggerOf = (
  { table, of, id }: Pick<Watched, "table" | "of" | "id">,
  name: string,
  event: string,
  when: string | undefined,
): string => `
CREATE CONSTRAINT TRIGGER note_${table}_${name} AFTER ${event} ON ${table} DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW ${when === undefined ? "" : `WHEN (${when})`} EXECUTE FUNCTION note_change('${of}', '${id}');`;

const changedTrigger = (watched: Omit<Watched, "deleted">, name: string): string => {
  const quoted = watched.columns.map((column) => `"${column}"`);
  const row = (side: "OLD" | "NEW") => `(${quoted.map((column) => `${side}.${column}`).join(", ")})`;
  const when = `${row("OLD")} IS DISTINCT FROM ${row("NEW")}`;
  return triggerOf(watched, name, `UPDATE OF ${quoted.join(", ")}`, when);
};

const triggersOf = (watched: Watched): string => {
  const changed = watched.columns.length === 0 ? "" : changedTrigger(watched, "changed");
  return `${triggerOf(watched, "created", "INSERT", undefined)}${changed}${triggerOf(watched, "removed", "DELETE", watched.deleted)}`;
};

/**
 * The trigger for columns that a later migration adds to one of the tables above, where nodes keep them in memory.
 * @param migration its number, for the trigger's name.
 */
export const watchMoreColumns = (table: string, migration: string, columns: readonly string[]): string => {
  const watched = WATCHED.find((each) => each.table === table);
  if (!watched) throw new Error(`${table} is not watched`);
  return changedTrigger({ ...watched, columns }, `changed_${migration}`);
};

/**
 * A trigger for columns that came later: what changes of them is told like the rest of their row.
 * @param name tells it from the table's other triggers.
 */
export const watchColumns = (table: string, name: string, columns: readonly string[]): string => {
  const watched = WATCHED.find((each) => each.table === table);
  if (!watched) throw new Error(`nothing of ${table} is watched`);
  const quoted = columns.map((column) => `"${column}"`);
  const row = (side: "OLD" | "NEW") => `(${quoted.map((column) => `${side}.${column}`).join(", ")})`;
  return `
CREATE CONSTRAINT TRIGGER note_${table}_${name} AFTER UPDATE OF ${quoted.join(", ")} ON ${table} DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (${row("OLD")} IS DISTINCT FROM ${row("NEW")}) EXECUTE FUNCTION note_change('${watched.of}', '${watched.id}');`;
};

/**
 * The change feed (docs/decisions/0016-change-feed.md): a row for each change of what nodes keep in memory, whoever made it.
 *
 * Numbers are in the order of commits: a row gets its number at the end of its transaction, behind a lock that is let go after
 * the commit. Whoever sees a number has seen all smaller ones, so that to read on from the last one misses nothing. The numbers
 * themselves have gaps. There is always a row, so that a node knows by the last one it saw whether it reads on in the same
 * history.
 *
 * What goes with a user that is removed is not told: the user's row says it.
 */
export const CHANGE_TRIGGERS = `
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
${WATCHED.map(triggersOf).join("")}
`;
