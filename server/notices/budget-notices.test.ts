import type { ReachedLevel } from "@tollgate/relay/limits/budget-book";
import { describe, expect, it } from "vitest";
import { formatNotice } from "../locales/format-notice";
import { toBudgetNotice } from "./budget-notices";

const startMs = new Date(2026, 10, 29, 8).getTime();
const REACHED: ReachedLevel = {
  ...{ scope: "key", id: 7, limit: "fiveHourQuota", max: 1000, used: 1200, level: 100, hours: 5 },
  ...{ startMs, endMs: new Date(2026, 10, 29, 13).getTime(), isSoft: false },
};
const OWNERS = {
  findKey: (id: number) => (id === 7 ? { name: "laptop", user: { id: 3 } } : undefined),
  findUser: (id: number) => (id === 3 ? { username: "alice" } : undefined),
};

const textOf = (reached: ReachedLevel, language: "en" | "zh-CN" = "en"): string => {
  const notice = toBudgetNotice(reached, OWNERS);
  if (!notice) throw new Error("no notice");
  // As it is stored meanwhile.
  const params: unknown = JSON.parse(JSON.stringify(notice.params));
  const { title, text } = formatNotice(language, notice.event, "opened", { ...(params as object) });
  return `${title}\n${text}`;
};

describe("the notice about a budget", () => {
  it("goes to the owner, by the share that is used", () => {
    const events = [50, 80, 100].map((level) => toBudgetNotice({ ...REACHED, level }, OWNERS));
    expect(events.map((notice) => [notice?.event, notice?.userId])).toEqual([
      ["budget-half", 3],
      ["budget-near", 3],
      ["budget-used-up", 3],
    ]);
    expect(toBudgetNotice({ ...REACHED, scope: "user", id: 3 }, OWNERS)?.userId).toBe(3);
    expect(toBudgetNotice({ ...REACHED, id: 8 }, OWNERS)).toBeUndefined();
    expect(toBudgetNotice({ ...REACHED, scope: "group", id: "vip" }, OWNERS)).not.toHaveProperty("userId");
  });

  it("has another subject in another period, of another amount and of another limit", () => {
    const subjects = [
      REACHED,
      { ...REACHED, startMs: startMs + 1000 },
      { ...REACHED, max: 2000 },
      { ...REACHED, limit: "windowQuota" as const },
      { ...REACHED, scope: "user" as const, id: 3 },
    ].map((reached) => toBudgetNotice(reached, OWNERS)?.subject);
    expect(new Set(subjects).size).toBe(subjects.length);
    expect(toBudgetNotice({ ...REACHED, used: 5000 }, OWNERS)?.subject).toBe(subjects[0]);
  });

  it("about the extra quota beyond it is another event and subject", () => {
    const used = { ...REACHED, extra: 200, isExtraUsedUp: true };
    const notice = toBudgetNotice(used, OWNERS);
    expect(notice).toMatchObject({ event: "budget-extra-used-up", userId: 3 });
    expect(notice?.subject).not.toBe(toBudgetNotice(REACHED, OWNERS)?.subject);
    expect(toBudgetNotice({ ...used, extra: 300 }, OWNERS)?.subject).not.toBe(notice?.subject);
    expect(textOf(used)).toBe(
      "The extra quota beyond the budget of 5 hours of the key “laptop” is used up\n" +
        "1200 are used: the budget of 5 hours of the key “laptop” (1000) and its extra quota (200). " +
        "It renews at 2026-11-29 13:00. All requests are refused until then.",
    );
    expect(textOf({ ...REACHED, extra: 200, isExtraUsedUp: false })).toContain("within the extra quota");
    expect(textOf({ ...used, scope: "group", id: "vip" })).toContain("The extra quota is used up as well");
  });

  it("names the owner, the period, when it renews and what that means, in the reader's language", () => {
    expect(textOf(REACHED)).toBe(
      "The budget of 5 hours of the key “laptop” is used up\n" +
        "1200 of 1000 are used: the budget of 5 hours of the key “laptop”. " +
        "It renews at 2026-11-29 13:00. Requests are refused until then.",
    );
    expect(textOf({ ...REACHED, isSoft: true })).toContain("Requests are still admitted.");
    expect(textOf({ ...REACHED, level: 80, limit: "weeklyQuota" }, "zh-CN")).toContain(
      "令牌“laptop”的每周预算已用 80%",
    );
    expect(textOf({ ...REACHED, scope: "group", id: "vip", level: 50 })).toContain("50 % of the budget");
  });
});
