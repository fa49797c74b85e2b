import type { SchemaPart } from "../../../sql/schema-part";
import { watchColumns } from "../schema/change-triggers";

/** The secret that an API key had before its last rotation: sealed, so that a new master key can find it again. */
export const FORMER_KEYS: SchemaPart = {
  common: `
ALTER TABLE tokens ADD COLUMN former_key_hash TEXT NOT NULL DEFAULT '';
ALTER TABLE tokens ADD COLUMN former_key_sealed TEXT NOT NULL DEFAULT '';
ALTER TABLE tokens ADD COLUMN former_until INTEGER NOT NULL DEFAULT 0;
`,
  postgres: watchColumns("tokens", "former_key", ["former_key_hash", "former_until"]),
};
