import { LIMITS, type Limits, readLimits } from "@tollgate/contract/management/limits";
import { limitsFromColumns, limitsToColumns } from "@tollgate/contract/resource/limits";
import type { Selectable } from "kysely";
import type { LimitColumns } from "./tables";

/** @returns undefined when nothing is limited. */
export const toLimits = (row: Selectable<LimitColumns>): Limits | undefined =>
  readLimits(limitsFromColumns(LIMITS, row));

/** The columns that an edit writes: those of limits that it leaves out are undefined, and are not written. */
export const fromLimits = (edit: Limits): Partial<Selectable<LimitColumns>> => limitsToColumns(LIMITS, edit);
