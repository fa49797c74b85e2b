import type { SchemaPart } from "../../../sql/schema-part";
import { watchColumns } from "../schema/change-triggers";

/** Decisions of keys about fields that an upstream's protocol has no place for; older keys go by the site's option. */
export const UNSUPPORTED_FIELDS: SchemaPart = {
  common: "ALTER TABLE tokens ADD COLUMN unsupported_fields TEXT NOT NULL DEFAULT '';",
  postgres: watchColumns("tokens", "unsupported", ["unsupported_fields"]),
};
