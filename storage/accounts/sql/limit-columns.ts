import { LIMITS, type Limits, readLimits } from "@tollgate/contract/management/limits";
import { type LimitColumnsOf, limitsFromColumns, limitsToColumns } from "@tollgate/contract/resource/limits";

type LimitColumns = LimitColumnsOf<typeof LIMITS>;

/** @returns undefined when nothing is limited. */
export const toLimits = (row: LimitColumns): Limits | undefined => readLimits(limitsFromColumns(LIMITS, row));

/** The columns that an edit writes: those of limits that it leaves out are undefined, and are not written. */
export const fromLimits = (edit: Limits): Partial<LimitColumns> => limitsToColumns(LIMITS, edit);
