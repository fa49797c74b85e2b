import type { StatementWire } from "@tollgate/contract/api/statements";
import type { LedgerBeginning, LedgerQueries } from "@tollgate/storage/accounts/money-ports";
import { HOUR_SECONDS } from "@tollgate/storage/log/hours";
import type { UsageQueries, UsedBy } from "@tollgate/storage/log/ports";
import { Failure } from "../failure";

/** Of which months there are statements: a year has four digits. */
const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** An hour belongs to the month in which it begins, as to its day in every picture of the log. */
const hourFrom = (seconds: number): number => Math.ceil(seconds / HOUR_SECONDS) * HOUR_SECONDS;

/** How far the reader's clock is from UTC, in minutes: when a month begins and when it ends, between which it may be changed. */
export interface MonthClock {
  begin: number;
  end: number;
}

/**
 * The hours of a month.
 * @throws Failure for a text that is none.
 */
export const monthHours = (month: string, clock: MonthClock): { from: number; end: number } => {
  const [, year, number] = MONTH.exec(month) ?? [];
  if (year === undefined || number === undefined || Number(year) < 1970)
    throw new Failure("invalid-parameter");
  const beginOf = (after: number, offsetMinutes: number): number =>
    hourFrom(Date.UTC(Number(year), Number(number) - 1 + after) / 1000 - offsetMinutes * 60);
  return { from: Math.max(0, beginOf(0, clock.begin)), end: beginOf(1, clock.end) };
};

/** Without what came to nothing: a model that only failed has no name that a bill could say, and no charge. */
const answered = (sums: readonly UsedBy[]): UsedBy[] =>
  sums.filter(({ requests, quota }) => requests > 0 || quota !== 0);

const total = (sums: readonly { quota: number }[]): number => sums.reduce((sum, { quota }) => sum + quota, 0);

interface Asked {
  user: { id: number; username: string };
  month: string;
  clock: MonthClock;
}

/** What a statement is made of. */
interface Kept {
  ledger: Pick<LedgerQueries, "moved" | "total" | "beginning">;
  usage: Pick<UsageQueries, "ofUser">;
}

/**
 * When the ledger of a user begins: the first whole hour that it knows; 0 where it knows all. Where no balance was brought forward but
 * more was charged before the first entry than in its hour, these charges are older than the account here, and what paid them is in no
 * entry.
 * @param until what begins from then on needs no answer: all that came before it is brought forward.
 */
const ledgerStart = async (
  { at, first }: LedgerBeginning,
  usage: Kept["usage"],
  userId: number,
  until: number,
): Promise<number> => {
  if (at !== undefined) return hourFrom(at);
  if (first === undefined || hourFrom(first) <= until) return 0;
  const hour = Math.floor(first / HOUR_SECONDS) * HOUR_SECONDS;
  const { before } = await usage.ofUser(userId, hour, hour);
  return before > 0 ? hourFrom(first) : 0;
};

/**
 * Makes a statement from the ledger and the sums of the log: the balance at a moment is the sum of all entries before it, less all that
 * was charged before it. What the ledger does not know is not made up: before it began there is no balance, and in the month in which it
 * began the statement is of what came after.
 * @throws Failure for a user that there is not, or a text that is no month.
 */
export const makeStatement = async (
  { ledger, usage }: Kept,
  { user, month, clock }: Asked,
): Promise<StatementWire> => {
  const hours = monthHours(month, clock);
  const beginning = await ledger.beginning(user.id);
  if (!beginning) throw new Failure("user-not-found");
  const begunAt = await ledgerStart(beginning, usage, user.id, hours.from);
  const isKnown = begunAt < hours.end;
  const isPartial = isKnown && begunAt > hours.from;
  const from = isPartial ? begunAt : hours.from;
  const used = await usage.ofUser(user.id, from, hours.end);
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
