import { type Limits, readLimits } from "@tollgate/contract/management/limits";
import type { Selectable } from "kysely";
import type { LimitColumns } from "./tables";

/** @returns undefined when nothing is limited. */
export const toLimits = (row: Selectable<LimitColumns>): Limits | undefined =>
  readLimits({
    rpm: row.rpm ?? undefined,
    tpm: row.tpm ?? undefined,
    concurrency: row.concurrency ?? undefined,
    dailyQuota: row.daily_quota ?? undefined,
    monthlyQuota: row.monthly_quota ?? undefined,
  });

const toColumn = (value: number | undefined): number | null | undefined => (value === 0 ? null : value);

/** The columns that an edit writes: what it leaves out is undefined, which writes nothing. */
export const fromLimits = (change: Limits): Partial<Selectable<LimitColumns>> => ({
  rpm: toColumn(change.rpm),
  tpm: toColumn(change.tpm),
  concurrency: toColumn(change.concurrency),
  daily_quota: toColumn(change.dailyQuota),
  monthly_quota: toColumn(change.monthlyQuota),
});
