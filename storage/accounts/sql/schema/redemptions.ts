import { given } from "../../../sql/column";
import type { SchemaPart } from "../../../sql/schema-part";

export const REDEMPTIONS = {
  tables: {
    redemptions: {
      columns: {
        id: "AUTO_ID",
        user_id: "INTEGER NOT NULL",
        key_hash: "TEXT NOT NULL CONSTRAINT redemptions_key_hash_unique UNIQUE",
        key_sealed: "TEXT NOT NULL",
        /** The contract's: unused until the last use. */
        status: "INTEGER NOT NULL DEFAULT 1",
        name: "SORTED_TEXT NOT NULL DEFAULT ''",
        quota: "QUOTA NOT NULL CHECK (quota > 0)",
        created_time: "INTEGER NOT NULL",
        redeemed_time: "INTEGER NOT NULL DEFAULT 0",
        redeemed_by: "INTEGER NOT NULL DEFAULT 0",
        /** 0 for never. */
        expires_time: given("INTEGER NOT NULL DEFAULT 0"),
        most_uses: "INTEGER NOT NULL DEFAULT 1",
        used_count: "INTEGER NOT NULL DEFAULT 0",
      },
    },
    /** Uses of codes: one per user, up to `most_uses`. */
    redemption_uses: {
      columns: {
        id: "AUTO_ID",
        redemption_id: "INTEGER NOT NULL REFERENCES redemptions (id) ON DELETE CASCADE",
        user_id: "INTEGER NOT NULL",
        used_at: "INTEGER NOT NULL",
        quota: "QUOTA NOT NULL",
      },
      constraints: ["UNIQUE (redemption_id, user_id)"],
    },
  },
  postgres: `
-- A node of an older version uses a code up, and writes no use.
CREATE FUNCTION note_use() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM moves) THEN RETURN NEW; END IF;
  NEW.used_count := OLD.used_count + 1;
  INSERT INTO redemption_uses (redemption_id, user_id, used_at, quota)
    VALUES (NEW.id, NEW.redeemed_by, NEW.redeemed_time, NEW.quota) ON CONFLICT DO NOTHING;
  RETURN NEW;
END $$;
CREATE TRIGGER note_use BEFORE UPDATE OF status ON redemptions FOR EACH ROW
  WHEN (OLD.status <> 3 AND NEW.status = 3 AND OLD.used_count = NEW.used_count) EXECUTE FUNCTION note_use();
`,
} as const satisfies SchemaPart;
