import type { StatementWire } from "@tollgate/contract/api/statements";
import type { RefundedBy } from "@tollgate/contract/records/request-refund-record";
import type {
  LedgerBeginning,
  LedgerQueries,
  RequestRefundQueries,
} from "@tollgate/storage/accounts/money-ports";
import { HOUR_SECONDS } from "@tollgate/storage/log/hours";
import type { UsageQueries, UsedBy, UserUsage } from "@tollgate/storage/log/ports";
import { Failure } from "../failure";

/** Months with statements: a year has four digits. */
const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** An hour belongs to the month in which it begins, as to its day in every picture of the log. */
const hourFrom = (seconds: number): number => Math.ceil(seconds / HOUR_SECONDS) * HOUR_SECONDS;

/** Offset of the reader's clock from UTC, in minutes, at the begin and at the end of a month. */
export interface MonthClock {
  begin: number;
  end: number;
}

/**
 * The hours of a month.
 * @throws Failure for an invalid month.
 */
export const monthHours = (month: string, clock: MonthClock): { from: number; end: number } => {
  const [, year, number] = MONTH.exec(month) ?? [];
  if (year === undefined || number === undefined || Number(year) < 1970)
    throw new Failure("invalid-parameter");
  const beginOf = (after: number, offsetMinutes: number): number =>
    hourFrom(Date.UTC(Number(year), Number(number) - 1 + after) / 1000 - offsetMinutes * 60);
  return { from: Math.max(0, beginOf(0, clock.begin)), end: beginOf(1, clock.end) };
};

/** Omits models that only failed: they have no name for a bill, and no charge. */
const answered = (sums: readonly UsedBy[]): UsedBy[] =>
  sums.filter(({ requests, quota }) => requests > 0 || quota !== 0);

const total = (sums: readonly { quota: number }[]): number => sums.reduce((sum, { quota }) => sum + quota, 0);

interface Asked {
  user: { id: number; username: string };
  month: string;
  clock: MonthClock;
}

interface Kept {
  ledger: Pick<LedgerQueries, "moved" | "total" | "beginning">;
  usage: Pick<UsageQueries, "ofUser">;
  requestRefunds: Pick<RequestRefundQueries, "ofUser">;
}

/**
 * Charges without refunds of requests, which lower the log's sums: a statement has refunds among the movements.
 */
const chargedOf = async (
  { usage, requestRefunds }: Pick<Kept, "usage" | "requestRefunds">,
  userId: number,
  from: number,
  end: number,
): Promise<UserUsage> => {
  const used = await usage.ofUser(userId, from, end);
  const back = await requestRefunds.ofUser(userId, from, end);
  const gross = (sums: readonly UsedBy[], refunded: readonly RefundedBy[]): UsedBy[] => {
    const byKey = new Map(refunded.map(({ key, quota }) => [key, quota]));
    return sums.map((sum) => ({ ...sum, quota: sum.quota + (byKey.get(sum.key) ?? 0) }));
  };
  return {
    before: used.before + back.before,
    models: gross(used.models, back.models),
    tokens: gross(used.tokens, back.tokens),
  };
};

/**
 * The begin of a user's ledger: its first whole hour; 0 when it is complete. If no balance was brought forward, but
 * more was charged before the first entry than in its hour, these charges predate the account here, and no entry covers
 * them.
 * @param until a later begin needs no answer: everything before it is brought forward.
 */
const ledgerStart = async (
  { at, first }: LedgerBeginning,
  kept: Pick<Kept, "usage" | "requestRefunds">,
  userId: number,
  until: number,
): Promise<number> => {
  if (at !== undefined) return hourFrom(at);
  if (first === undefined || hourFrom(first) <= until) return 0;
  const hour = Math.floor(first / HOUR_SECONDS) * HOUR_SECONDS;
  const { before } = await chargedOf(kept, userId, hour, hour);
  return before > 0 ? hourFrom(first) : 0;
};

/**
 * Makes a statement from the ledger and the sums of the log: the balance at a moment is the sum of all earlier entries,
 * minus all earlier charges. Amounts missing in the ledger are not invented: before its begin there is no balance, and
 * the statement of its first month covers only the time after.
 * @throws Failure for an unknown user, or an invalid month.
 */
export const makeStatement = async (
  { ledger, usage, requestRefunds }: Kept,
  { user, month, clock }: Asked,
): Promise<StatementWire> => {
  const hours = monthHours(month, clock);
  const beginning = await ledger.beginning(user.id);
  if (!beginning) throw new Failure("user-not-found");
  const begunAt = await ledgerStart(beginning, { usage, requestRefunds }, user.id, hours.from);
  const isKnown = begunAt < hours.end;
  const isPartial = isKnown && begunAt > hours.from;
  const from = isPartial ? begunAt : hours.from;
  const used = await chargedOf({ usage, requestRefunds }, user.id, from, hours.end);
  const movements = isKnown ? await ledger.moved(user.id, from, hours.end) : [];
  const earlier = await ledger.total(user.id, 0, from);
  const charged = total(used.models);
  const opening = earlier - beginning.unlogged - used.before;
  return {
    user_id: user.id,
    username: user.username,
    month,
    offset_minutes: clock.begin,
    from,
    end: hours.end,
    opening: isKnown ? opening : null,
    closing: isKnown ? opening + (await ledger.total(user.id, from, hours.end)) - charged : null,
    is_partial: isPartial,
    movements: movements.map((moved) => ({ ...moved })),
    charged,
    models: answered(used.models),
    tokens: answered(used.tokens),
  };
};
