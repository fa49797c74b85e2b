import { toMigrations } from "../../postgres/migrate";
import { FAILURES } from "../sql/migrations/failures";
import { INTERRUPTIONS } from "../sql/migrations/interruptions";
import { LATENCIES } from "../sql/migrations/latencies";
import { PROMPT_CACHE } from "../sql/migrations/prompt-cache";
import { SERVED_MODEL_TIMES } from "../sql/migrations/served-model-times";
import { SERVED_MODELS } from "../sql/migrations/served-models";
import { LOG_SCHEMA } from "../sql/schema/log-schema";

/** Migrations of the log. The first one is named after the last of those it replaced. */
export const LOG_MIGRATIONS = toMigrations({
  "0004-model-health": LOG_SCHEMA,
  "0005-failures": [FAILURES],
  "0006-latencies": [LATENCIES],
  "0007-interruptions": [INTERRUPTIONS],
  "0008-prompt-cache": PROMPT_CACHE,
  "0009-served-models": SERVED_MODELS,
  "0010-served-model-times": [SERVED_MODEL_TIMES],
});
