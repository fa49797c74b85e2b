import { LEDGER_ACCOUNTS, LEDGER_CAUSES } from "@tollgate/contract/records/ledger-entry";
import { textIn } from "../../../sql/column";
import type { SchemaPart } from "../../../sql/schema-part";

/** Refuses a movement without an entry. */
const refuseMovement = (table: string, name: string, entries: string): string => `
CREATE TRIGGER ${name} AFTER UPDATE OF granted_quota ON ${table} WHEN NEW.granted_quota <> (
    SELECT coalesce(sum(amount), 0) FROM ledger_entries WHERE ${entries})
  BEGIN SELECT RAISE(ABORT, 'a balance was moved without an entry in the ledger'); END;
`;

export const LEDGER = {
  tables: {
    /**
     * Movements of money other than charges (contract/records/ledger-entry.ts): the sum of an account's entries is its granted
     * quota. An entry is written before the balance is moved. SQLite refuses a movement without an entry. On PostgreSQL, nodes of
     * a version before the ledger write none, so the difference becomes an entry with the cause "unexplained"; accounts that are
     * being brought there bring their entries along. Entries outlive their user or key: like the lines of the log they account
     * for payments.
     */
    ledger_entries: {
      columns: {
        id: "AUTO_ID",
        user_id: "INTEGER NOT NULL",
        account: textIn(LEDGER_ACCOUNTS, "SORTED_TEXT NOT NULL"),
        /** 0 except for the own limit of a key. */
        key_id: "INTEGER NOT NULL DEFAULT 0",
        amount: "QUOTA NOT NULL CHECK (amount <> 0)",
        cause: textIn(LEDGER_CAUSES, "SORTED_TEXT NOT NULL"),
        /** NULL for a movement without one; all others are booked once. */
        reference: "SORTED_TEXT",
        /** 0 for the gateway itself. */
        actor_id: "INTEGER NOT NULL DEFAULT 0",
        created_at: "INTEGER NOT NULL",
        reason: "TEXT NOT NULL DEFAULT ''",
      },
      constraints: [
        "CHECK ((account = 'key') = (key_id <> 0))",
        "CONSTRAINT ledger_entries_once UNIQUE (cause, reference, account)",
      ],
      indexes: {
        ledger_entries_account: "(user_id, account, key_id)",
        ledger_entries_user: "(user_id, id)",
        ledger_entries_cause: "(cause, id)",
        ledger_entries_time: "(created_at)",
      },
    },
  },
  sqlite: [
    refuseMovement("users", "users_moved", "user_id = NEW.id AND account = 'balance' AND key_id = 0"),
    refuseMovement("tokens", "tokens_moved", "user_id = NEW.user_id AND account = 'key' AND key_id = NEW.id"),
  ].join(""),
  postgres: `
CREATE FUNCTION explain_movement() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  moved JSONB := to_jsonb(NEW);
  owner BIGINT := CASE WHEN TG_ARGV[0] = 'key' THEN moved ->> 'user_id' ELSE moved ->> 'id' END;
  key BIGINT := CASE WHEN TG_ARGV[0] = 'key' THEN moved ->> 'id' ELSE '0' END;
  unexplained BIGINT;
BEGIN
  IF EXISTS (SELECT 1 FROM moves) THEN RETURN NULL; END IF;
  SELECT NEW.granted_quota - coalesce(sum(amount), 0) INTO unexplained FROM ledger_entries
    WHERE user_id = owner AND account = TG_ARGV[0] AND key_id = key;
  IF unexplained <> 0 THEN
    INSERT INTO ledger_entries (user_id, account, key_id, amount, cause, created_at)
      VALUES (owner, TG_ARGV[0], key, unexplained, 'unexplained', extract(epoch FROM now())::bigint);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER created_granted AFTER INSERT ON users FOR EACH ROW WHEN (NEW.granted_quota <> 0)
  EXECUTE FUNCTION explain_movement('balance');
CREATE TRIGGER created_granted AFTER INSERT ON tokens FOR EACH ROW WHEN (NEW.granted_quota <> 0)
  EXECUTE FUNCTION explain_movement('key');
CREATE TRIGGER moved_granted AFTER UPDATE OF granted_quota ON users FOR EACH ROW
  WHEN (OLD.granted_quota <> NEW.granted_quota) EXECUTE FUNCTION explain_movement('balance');
CREATE TRIGGER moved_granted AFTER UPDATE OF granted_quota ON tokens FOR EACH ROW
  WHEN (OLD.granted_quota <> NEW.granted_quota) EXECUTE FUNCTION explain_movement('key');
`,
} as const satisfies SchemaPart;
