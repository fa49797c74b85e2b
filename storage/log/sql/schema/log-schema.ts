import type { SchemaPart } from "../../../sql/schema-part";
import { LOG_LINES } from "./lines";
import { LOG_SUMS } from "./sums";

/** The schema that the first migration creates. */
export const LOG_SCHEMA: readonly SchemaPart[] = [LOG_LINES, LOG_SUMS];
