import { LOG_OUTCOMES, type LogFilter, type LogOutcome } from "@tollgate/contract/api/logs";
import { INTERRUPTION_CODES, type LogPhrase } from "@tollgate/contract/values/log-phrase";
import { createRandom } from "@tollgate/testkit/random";
import { caseCount } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Charge, encodeCharges } from "../accounts/charges";
import { encodePhrases } from "../outbox/log-content";
import { encodeAccountEntries } from "../outbox/log-entry";
import { chargeOf } from "../testing/charge-of";
import { onEngine } from "../testing/on-engine";
import type { LogUnderTest } from "./testing/log-under-test";
import { newPostgresLog } from "./testing/postgres-log";
import { newSqliteLog } from "./testing/sqlite-log";

/** 1 January 2026. */
const DAY = 1_767_225_600;
/** Later than all lines. */
const NOW = DAY + 100 * 86_400;

const newLog = onEngine({ sqlite: newSqliteLog, postgres: newPostgresLog });

let log: LogUnderTest;
beforeEach(async () => {
  log = await newLog([]);
});
afterEach(() => log.close());

const PRICE: LogPhrase = { code: "ratios", model: "1.00", group: "1.00" };

const contentOf = (...phrases: LogPhrase[]): string => encodePhrases([PRICE, ...phrases]);

const failureOf = (createdAt: number, code: string, more: Partial<Charge> = {}): Charge =>
  chargeOf(createdAt, 0, {
    count: "error",
    isLogged: false,
    promptTokens: 0,
    completionTokens: 0,
    content: "",
    receipt: "",
    failure: { code, status: 0, firstAt: createdAt, count: 1, isRepeat: false },
    ...more,
  });

const store = (charges: readonly Charge[]): Promise<void> => log.takeOver(encodeCharges([...charges])[1]);

const requestsOf = async (filter: LogFilter): Promise<string[]> =>
  (await log.queries.logs.page(filter, 0, 100)).map(({ requestId }) => requestId);

describe("the filter of the log by outcome", () => {
  it("tells answered, failed and interrupted requests apart, and leaves lines of accounts out", async () => {
    await store([
      chargeOf(DAY, 1, { requestId: "whole", content: contentOf() }),
      ...INTERRUPTION_CODES.map((code, index) =>
        chargeOf(DAY + 1 + index, 2, { requestId: code, content: contentOf({ code }) }),
      ),
      // Names that look like a mark of an interruption.
      chargeOf(DAY + 10, 4, {
        requestId: "rule",
        content: contentOf({ code: "price-rule", name: '{"code":"stopped"}' }),
      }),
      chargeOf(DAY + 11, 8, { requestId: "imported", content: '{"code":"stopped"}' }),
      failureOf(DAY + 12, "user-quota-exceeded", { requestId: "refused" }),
      failureOf(DAY + 13, "client-left", { requestId: "left", count: "left" }),
      failureOf(DAY + 14, "upstream-interrupted", { requestId: "broken" }),
    ]);
    const gift = { createdAt: DAY + 5, userId: 1, username: "alice", type: 4, content: "gift" };
    await log.takeOver(encodeAccountEntries([gift]));
    const cutOff = [...INTERRUPTION_CODES].reverse();
    expect(await requestsOf({ outcome: "succeeded" })).toEqual(["imported", "rule", "whole"]);
    expect(await requestsOf({ outcome: "failed" })).toEqual(["refused"]);
    expect(await requestsOf({ outcome: "interrupted" })).toEqual(["broken", "left", ...cutOff]);
    expect(await requestsOf({ outcome: "interrupted", type: 2 })).toEqual(cutOff);
    expect(await requestsOf({ outcome: "interrupted", type: 5 })).toEqual(["broken", "left"]);
    expect(await requestsOf({ outcome: "interrupted", requestId: "left" })).toEqual(["left"]);
    expect(await requestsOf({ outcome: "succeeded", requestId: "stopped" })).toEqual([]);
    for (const outcome of LOG_OUTCOMES) expect(await requestsOf({ outcome, type: 4 })).toEqual([]);
    expect(await requestsOf({ outcome: "succeeded", type: 5 })).toEqual([]);
    expect(await requestsOf({ outcome: "failed", type: 2 })).toEqual([]);
    const totals = LOG_OUTCOMES.map((outcome) => log.queries.usage.consumedQuota({ outcome }, NOW));
    expect(await Promise.all(totals)).toEqual([13, 0, 8, 0]);
    expect(await log.queries.usage.consumedQuota({ outcome: "succeeded", type: 5 }, NOW)).toBe(0);
  });

  it("is the same as a plain reading of all lines, for every page, order, filter and range", async () => {
    const random = createRandom(11);
    const upTo = (n: number): number => Math.floor(random() * n);
    const all: { charge: Charge; outcomes: LogOutcome[] }[] = [];
    let time = DAY;
    for (let i = 0; i < 200; i += 1) {
      time += 1 + (upTo(3) === 0 ? upTo(30_000) : upTo(20));
      const more = {
        userId: 1 + upTo(2),
        username: `user ${upTo(3)}`,
        tokenName: `key ${upTo(2)}`,
        modelName: `model ${upTo(2)}`,
        channelId: 1 + upTo(2),
      };
      const outcome = (["succeeded", "failed", "interrupted"] as const)[upTo(3)]!;
      const isOtherModel = [true, false, undefined][upTo(3)];
      const code = INTERRUPTION_CODES[upTo(4)]!;
      const charge =
        outcome === "failed"
          ? failureOf(time, "upstream-failed", more)
          : outcome === "interrupted" && upTo(3) === 0
            ? failureOf(time, "client-left", { ...more, count: "left" })
            : chargeOf(time, 1 + i, {
                ...{ ...more, isOtherModel },
                content: outcome === "succeeded" ? contentOf() : contentOf({ code }),
              });
      const isRenamed = charge.isLogged && isOtherModel === true;
      all.push({ charge, outcomes: isRenamed ? [outcome, "other-model"] : [outcome] });
    }
    await store(all.map(({ charge }) => charge));
    const span = time - DAY;
    while (await log.maintenance.closeBucket(DAY + Math.floor(span / 2))) {
      // Step by step.
    }
    for (let round = 0; round < caseCount(30); round += 1) {
      const pick = <T>(value: T): T | undefined => (upTo(3) === 0 ? value : undefined);
      const startTimestamp = pick(DAY + upTo(span));
      const filter = {
        outcome: LOG_OUTCOMES[upTo(4)]!,
        userId: pick(1 + upTo(2)),
        username: pick(`user ${upTo(3)}`),
        tokenName: pick(`key ${upTo(2)}`),
        modelName: pick(`model ${upTo(2)}`),
        channelId: pick(1 + upTo(2)),
        startTimestamp,
        endTimestamp: pick((startTimestamp ?? DAY) + upTo(span)),
      };
      const left = all
        .filter(
          ({ charge, outcomes }) =>
            outcomes.includes(filter.outcome) &&
            (filter.userId ?? charge.userId) === charge.userId &&
            (filter.username ?? charge.username) === charge.username &&
            (filter.tokenName ?? charge.tokenName) === charge.tokenName &&
            (filter.modelName ?? charge.modelName) === charge.modelName &&
            (filter.channelId ?? charge.channelId) === charge.channelId &&
            (filter.startTimestamp ?? 0) <= charge.createdAt &&
            (filter.endTimestamp ?? NOW) >= charge.createdAt,
        )
        .map(({ charge }) => charge)
        .reverse();
      const offset = upTo(2) === 0 ? 0 : upTo(left.length + 5);
      const asked = JSON.stringify({ filter, offset });
      const ids = (lines: readonly { requestId: string }[] | undefined) =>
        lines?.map(({ requestId }) => requestId);
      const { logs } = log.queries;
      expect(ids(await logs.page(filter, offset, 10)), asked).toEqual(ids(left.slice(offset, offset + 10)));
      const last = left[offset];
      if (last) {
        const [line] = await logs.page(filter, offset, 1);
        expect(ids(await logs.after(filter, line, 10)), asked).toEqual(
          ids(left.slice(offset + 1, offset + 11)),
        );
      }
      const byTime = await logs.sorted(filter, { column: "created_at", isDescending: false }, offset, 10);
      expect(ids(byTime), asked).toEqual(ids(left.toReversed().slice(offset, offset + 10)));
      const byQuota = await logs.sorted(filter, { column: "quota", isDescending: true }, 0, 10);
      expect(
        byQuota?.map(({ quota }) => quota),
        asked,
      ).toEqual(
        left
          .map(({ quota }) => quota)
          .sort((a, b) => b - a)
          .slice(0, 10),
      );
      expect(await log.queries.usage.consumedQuota(filter, NOW), asked).toBe(
        left.reduce((sum, { quota }) => sum + quota, 0),
      );
    }
  });
});
