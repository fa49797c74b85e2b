import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Charge, encodeCharges } from "../accounts/charges";
import { chargeOf } from "../testing/charge-of";
import { onEngine } from "../testing/on-engine";
import { HOUR_SECONDS } from "./hours";
import type { KeySpending } from "./ports";
import type { LogUnderTest } from "./testing/log-under-test";
import { newPostgresLog } from "./testing/postgres-log";
import { newSqliteLog } from "./testing/sqlite-log";

/** 1 January 2026. */
const DAY = 1_767_225_600;
const HOUR = DAY + 40 * 86_400;
const FROM = HOUR - 30 * 86_400;

const newLog = onEngine({ sqlite: newSqliteLog, postgres: newPostgresLog });

let log: LogUnderTest;
beforeEach(async () => {
  log = await newLog([]);
});
afterEach(() => log.close());

const store = (charges: readonly Charge[]): Promise<void> => log.takeOver(encodeCharges([...charges])[1]);

const found = async (leastQuota: number): Promise<KeySpending[]> =>
  (await log.queries.usage.keySpending(HOUR, FROM, leastQuota)).toSorted((a, b) => a.tokenId - b.tokenId);

describe("the spending of keys in an hour", () => {
  it("is summed over models and names, beside the highest earlier hour and the first", async () => {
    await store([
      // The name of a user, or of a key, may have changed meanwhile.
      chargeOf(HOUR - 50 * HOUR_SECONDS, 70, { tokenId: 1, userId: 7, username: "old", tokenName: "a" }),
      chargeOf(HOUR - 50 * HOUR_SECONDS + 9, 40, { tokenId: 1, userId: 7, username: "new", tokenName: "b" }),
      chargeOf(HOUR - HOUR_SECONDS, 60, { tokenId: 1, userId: 7, username: "new", tokenName: "b" }),
      chargeOf(HOUR, 300, { tokenId: 1, userId: 7, username: "new", tokenName: "b", modelName: "m-1" }),
      chargeOf(HOUR + 3599, 200, {
        tokenId: 1,
        userId: 7,
        username: "new",
        tokenName: "b",
        modelName: "m-2",
      }),
      // The next hour is not asked for, and what is too old is no past.
      chargeOf(HOUR + 3600, 900, { tokenId: 1, userId: 7, username: "new", tokenName: "b" }),
      chargeOf(FROM - 1, 9000, { tokenId: 1, userId: 7, username: "new", tokenName: "b" }),
      chargeOf(HOUR, 400, { tokenId: 2, userId: 8 }),
    ]);
    expect(await found(400)).toEqual([
      { userId: 7, tokenId: 1, quota: 500, peakQuota: 110, firstHour: HOUR - 50 * HOUR_SECONDS },
      { userId: 8, tokenId: 2, quota: 400, peakQuota: 0, firstHour: HOUR },
    ]);
    expect((await found(401)).map(({ tokenId }) => tokenId)).toEqual([1]);
  });

  it("is that of the charges, whatever they are", async () => {
    for (const seed of seeds(4)) {
      const next = createRandom(seed);
      const random = (below: number): number => Math.floor(next() * below);
      await log.close();
      log = await newLog([]);
      const charges = Array.from({ length: 60 }, () => ({
        at: HOUR - random(35 * 24) * HOUR_SECONDS + random(HOUR_SECONDS),
        quota: 1 + random(1000),
        tokenId: 1 + random(4),
      }));
      await store(
        charges.map(({ at, quota, tokenId }) => chargeOf(at, quota, { tokenId, userId: tokenId * 10 })),
      );
      const expected = [1, 2, 3, 4].flatMap((tokenId): KeySpending[] => {
        const hours = new Map<number, number>();
        for (const charge of charges.filter((each) => each.tokenId === tokenId)) {
          const hour = charge.at - (charge.at % HOUR_SECONDS);
          if (hour >= FROM) hours.set(hour, (hours.get(hour) ?? 0) + charge.quota);
        }
        const quota = hours.get(HOUR) ?? 0;
        const past = [...hours].filter(([hour]) => hour < HOUR);
        if (quota < 1) return [];
        return [
          {
            userId: tokenId * 10,
            tokenId,
            quota,
            peakQuota: Math.max(0, ...past.map(([, spent]) => spent)),
            firstHour: Math.min(HOUR, ...past.map(([hour]) => hour)),
          },
        ];
      });
      expect([seed, await found(1)]).toEqual([seed, expected]);
    }
  });
});
