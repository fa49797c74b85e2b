import type { SchemaPart } from "../../../sql/schema-part";

/** Finds the answers that named another model by their time, for the filter of the log. */
export const SERVED_MODEL_TIMES: SchemaPart = {
  common: "CREATE INDEX logs_other_model_time ON logs (created_at) WHERE is_other_model = 1;",
};
