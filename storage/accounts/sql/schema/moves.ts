import type { SchemaPart } from "../../../sql/schema-part";

/**
 * Marks a PostgreSQL database whose accounts are being brought there ("arriving") or were all taken elsewhere ("left"). No node
 * works with either (storage/promote/). `token` is the same on the other side. A node that missed the mark can no longer book a
 * charge or move a balance, which the other side would lack.
 */
export const MOVES: SchemaPart = {
  postgres: `
CREATE TABLE moves (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  state TEXT NOT NULL CHECK (state IN ('arriving', 'left')),
  token TEXT NOT NULL
);

CREATE FUNCTION refuse_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM moves) THEN RAISE EXCEPTION 'the accounts of this database are moved'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refuse_moved AFTER INSERT ON nodes FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();
CREATE TRIGGER refuse_moved AFTER INSERT ON charges FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();
CREATE TRIGGER refuse_moved AFTER INSERT ON balance_edits FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();
`,
};
