import { toMigrations } from "../../sqlite/migrate";
import { FAILURES } from "../sql/migrations/failures";
import { INTERRUPTIONS } from "../sql/migrations/interruptions";
import { LATENCIES } from "../sql/migrations/latencies";
import { PROMPT_CACHE } from "../sql/migrations/prompt-cache";
import { SERVED_MODEL_TIMES } from "../sql/migrations/served-model-times";
import { SERVED_MODELS } from "../sql/migrations/served-models";
import { LOG_SCHEMA } from "../sql/schema/log-schema";

/** Migrations of the log. The first one is named after the last of those it replaced. */
export const LOG_MIGRATIONS = toMigrations({
  "0005-model-health": LOG_SCHEMA,
  "0006-failures": [FAILURES],
  "0007-latencies": [LATENCIES],
  "0008-interruptions": [INTERRUPTIONS],
  "0009-prompt-cache": PROMPT_CACHE,
  "0010-served-models": SERVED_MODELS,
  "0011-served-model-times": [SERVED_MODEL_TIMES],
});
