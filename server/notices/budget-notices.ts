import { LIMITS } from "@tollgate/contract/management/limits";
import type { NoticeEventName } from "@tollgate/contract/notices/notice-events";
import type { ReachedLevel } from "@tollgate/relay/limits/budget-book";
import type { BudgetWord } from "../locales/budget-word";
import type { Notice } from "./notices";

/** The names of keys and users. */
export interface BudgetOwners {
  findKey(id: number): { readonly name: string; readonly user: { readonly id: number } } | undefined;
  findUser(id: number): { readonly username: string } | undefined;
}

const word = (name: BudgetWord["word"], params: BudgetWord["params"] = {}): BudgetWord => ({
  word: name,
  params,
});

const PERIODS: Readonly<Partial<Record<ReachedLevel["limit"], "day" | "week" | "month">>> = {
  dailyQuota: "day",
  weeklyQuota: "week",
  monthlyQuota: "month",
};

const periodOf = ({ limit, hours }: ReachedLevel): BudgetWord => {
  const period = PERIODS[limit];
  return period ? word(period) : word("hours", { hours: String(hours ?? "") });
};

const eventOf = ({ level, isExtraUsedUp }: ReachedLevel): NoticeEventName => {
  if (isExtraUsedUp) return "budget-extra-used-up";
  if (level >= 100) return "budget-used-up";
  return level >= 80 ? "budget-near" : "budget-half";
};

const effectOf = ({ level, isSoft, extra, isExtraUsedUp }: ReachedLevel): BudgetWord => {
  if (level < 100) return word("open");
  if (isSoft) return word("notifies");
  if (isExtraUsedUp) return word("refusesAll");
  return word(extra === undefined ? "refuses" : "replaces");
};

const two = (value: number): string => String(value).padStart(2, "0");

/** A moment to the minute, by the server's clock. */
const formatMinute = (ms: number): string => {
  const date = new Date(ms);
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
};

/**
 * The notice about a budget that is half, nearly or wholly used: for the key's or the user's owner, or for root about a
 * group. Its subject names the budget and its period, so that all nodes together report a level once.
 * @returns undefined for an owner that is gone.
 */
export const toBudgetNotice = (reached: ReachedLevel, owners: BudgetOwners): Notice | undefined => {
  const { scope, id, limit, max, used, level, extra = 0, isExtraUsedUp, startMs, endMs } = reached;
  const budget = isExtraUsedUp ? `${max}+${extra}` : max;
  const subject = `${scope} ${id} ${limit} ${budget} ${startMs / 1000}`;
  const noticeOf = (name: string) => ({
    params: {
      id,
      limit: LIMITS[limit].name,
      of: word(scope, { name }),
      period: periodOf(reached),
      effect: effectOf(reached),
      percent: level,
      quota: used,
      budget: max,
      ...(isExtraUsedUp ? { extra } : {}),
      time: formatMinute(endMs),
    },
  });
  if (scope === "group")
    return { event: "group-budget", subject: `${subject} ${level}`, ...noticeOf(String(id)) };
  const key = scope === "key" ? owners.findKey(Number(id)) : undefined;
  const userId = scope === "key" ? key?.user.id : Number(id);
  const name = scope === "key" ? key?.name : owners.findUser(Number(id))?.username;
  if (userId === undefined || name === undefined) return undefined;
  return { event: eventOf(reached), subject, userId, ...noticeOf(name) };
};
