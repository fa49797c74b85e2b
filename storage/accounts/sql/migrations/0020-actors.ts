import type { SchemaPart } from "../../../sql/schema-part";

/**
 * Both sides of a change that moves money or a price: the person who saved a plan's price, and the beneficiary of an
 * audited change. An order keeps the terms of its quote.
 */
export const ACTORS: SchemaPart = {
  common: `
ALTER TABLE plans ADD COLUMN saved_by INTEGER NOT NULL DEFAULT 0;
ALTER TABLE audit ADD COLUMN beneficiary_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE audit ADD COLUMN beneficiary TEXT NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN unit_price TEXT NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN quota_per_unit TEXT NOT NULL DEFAULT '';
`,
};
