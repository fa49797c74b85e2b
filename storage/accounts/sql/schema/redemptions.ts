import type { SchemaPart } from "../../../sql/schema-part";

/**
 * Redemption codes, which expire at a time (0 for never), and their uses: one per user, up to `most_uses`. The status stays the
 * contract's: unused until the last use.
 */
export const REDEMPTIONS: SchemaPart = {
  common: `
CREATE TABLE redemptions (
  id AUTO_ID,
  user_id INTEGER NOT NULL,
  key_hash TEXT NOT NULL CONSTRAINT redemptions_key_hash_unique UNIQUE,
  key_sealed TEXT NOT NULL,
  status INTEGER NOT NULL DEFAULT 1,
  name SORTED_TEXT NOT NULL DEFAULT '',
  quota QUOTA NOT NULL CHECK (quota > 0),
  created_time INTEGER NOT NULL,
  redeemed_time INTEGER NOT NULL DEFAULT 0,
  redeemed_by INTEGER NOT NULL DEFAULT 0,
  expires_time INTEGER NOT NULL DEFAULT 0,
  most_uses INTEGER NOT NULL DEFAULT 1,
  used_count INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE redemption_uses (
  id AUTO_ID,
  redemption_id INTEGER NOT NULL REFERENCES redemptions (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  quota QUOTA NOT NULL,
  UNIQUE (redemption_id, user_id)
);
`,
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
};
