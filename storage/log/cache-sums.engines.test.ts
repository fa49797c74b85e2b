import type { LogFilter } from "@tollgate/contract/api/logs";
import type { UsageGrouping, UsagePoint } from "@tollgate/contract/api/usage";
import { createRandom } from "@tollgate/testkit/random";
import { caseCount } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Charge, encodeCharges } from "../accounts/charges";
import { chargeOf } from "../testing/charge-of";
import { onEngine } from "../testing/on-engine";
import { encodeReceiptDetail } from "./receipt-detail";
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

const store = (charges: readonly Charge[]): Promise<void> => log.takeOver(encodeCharges([...charges])[1]);

type CacheSums = Pick<UsagePoint, "cachePromptTokens" | "cacheReadTokens" | "cacheWriteTokens">;

/** Sums of the prompt's cache over lines, read plainly. */
const sumLines = (lines: readonly Charge[]): CacheSums => {
  const known = lines.filter(({ cacheReadTokens }) => cacheReadTokens !== undefined);
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
  const prompt = sum(known.map(({ promptTokens }) => promptTokens));
  const written = sum(lines.map(({ cacheWriteTokens }) => cacheWriteTokens ?? 0));
  return {
    cachePromptTokens: prompt === 0 ? undefined : prompt,
    cacheReadTokens: prompt === 0 ? undefined : sum(known.map(({ cacheReadTokens }) => cacheReadTokens ?? 0)),
    cacheWriteTokens: prompt === 0 && written === 0 ? undefined : written,
  };
};

const sumPoints = (points: readonly UsagePoint[]): CacheSums => {
  const sum = (name: keyof CacheSums): number | undefined => {
    const known = points.flatMap((point) => point[name] ?? []);
    return known.length === 0 ? undefined : known.reduce((all, value) => all + value, 0);
  };
  return {
    cachePromptTokens: sum("cachePromptTokens"),
    cacheReadTokens: sum("cacheReadTokens"),
    cacheWriteTokens: sum("cacheWriteTokens"),
  };
};

/** Draws requests of several users, keys, models and channels; many of them tell nothing of their cache. */
const drawCharges = (random: () => number, count: number): Charge[] => {
  const below = (end: number): number => Math.floor(random() * end);
  let time = DAY;
  return Array.from({ length: count }, (_, index) => {
    time += below(3) === 0 ? below(40_000) : below(900);
    const promptTokens = below(50);
    const read = below(promptTokens + 1);
    const userId = 1 + below(9);
    return chargeOf(time, index, {
      promptTokens,
      cacheReadTokens: below(3) === 0 ? undefined : read,
      cacheWriteTokens: below(2) === 0 ? undefined : below(promptTokens - read + 1),
      ...{ userId, username: `user ${userId}`, tokenId: userId, tokenName: below(4) > 0 ? "default" : "own" },
      ...{ modelName: `model ${below(3)}`, channelId: 1 + below(2) },
    });
  });
};

describe("sums of the prompt's cache", () => {
  it("are those of the lines, by every filter, grouping and range, while buckets are added up and lines are cleared", async () => {
    const random = createRandom(29);
    const below = (end: number): number => Math.floor(random() * end);
    const charges = drawCharges(random, 300);
    const late = charges.filter((_, index) => index % 7 === 0);
    await store(charges.filter((_, index) => index % 7 !== 0));
    const last = charges.at(-1)?.createdAt ?? DAY;
    const pick = <T>(value: T): T | undefined => (below(3) === 0 ? value : undefined);

    const expectSame = async (isOfWholeHours: boolean, stored: readonly Charge[]): Promise<void> => {
      const unit = isOfWholeHours ? 3600 : 1;
      const startTimestamp = pick(DAY + Math.floor(below(last - DAY) / unit) * unit);
      const endTimestamp = pick(
        (startTimestamp ?? DAY) + (1 + Math.floor(below(last - DAY) / unit)) * unit - 1,
      );
      const subject: LogFilter = {
        username: pick(`user ${1 + below(9)}`),
        tokenName: pick("default"),
        modelName: pick(`model ${below(3)}`),
        channelId: pick(1 + below(2)),
      };
      const filter = { ...subject, startTimestamp, endTimestamp };
      const by = (["none", "model", "channel", "token", "user"] as const)[below(5)] as UsageGrouping;
      const query = { filter, by, step: (["hour", "day"] as const)[below(2)]!, offsetMinutes: 60 * below(9) };
      const told = JSON.stringify(query);
      const lines = stored.filter(
        (charge) =>
          (filter.username ?? charge.username) === charge.username &&
          (filter.tokenName ?? charge.tokenName) === charge.tokenName &&
          (filter.modelName ?? charge.modelName) === charge.modelName &&
          (filter.channelId ?? charge.channelId) === charge.channelId &&
          (startTimestamp ?? 0) <= charge.createdAt &&
          (endTimestamp ?? NOW) >= charge.createdAt,
      );
      expect(sumPoints(await log.queries.usage.points(query, NOW)), told).toEqual(sumLines(lines));
      expect(sumPoints(await log.queries.usage.points({ ...query, top: 1 }, NOW)), told).toEqual(
        sumLines(lines),
      );
    };

    const rounds = caseCount(60);
    const early = charges.filter((_, index) => index % 7 !== 0);
    for (let round = 0; round < rounds; round += 1) await expectSame(false, early);
    while (await log.maintenance.closeBucket(DAY + Math.floor((last - DAY) / 2))) {
      // Step by step.
    }
    await store(late);
    for (let round = 0; round < rounds; round += 1) await expectSame(false, charges);
    while (await log.maintenance.closeBucket(NOW)) {
      // Step by step.
    }
    for (let round = 0; round < rounds; round += 1) await expectSame(false, charges);
    while (!(await log.maintenance.clearBefore(DAY + Math.floor((last - DAY) / 3), NOW)).isDone) {
      // Step by step.
    }
    // Sums stay; only parts of an hour need the lines.
    for (let round = 0; round < rounds; round += 1) await expectSame(true, charges);
  });

  it("are unknown where no request tells them, and known where one tells zero", async () => {
    await store([chargeOf(DAY, 1), chargeOf(DAY + 86_400, 1, { cacheReadTokens: 0 })]);
    const points = await log.queries.usage.points(
      { filter: {}, by: "none", step: "day", offsetMinutes: 0 },
      NOW,
    );
    const sums = points.map(({ cachePromptTokens, cacheReadTokens, cacheWriteTokens }) => [
      ...[cachePromptTokens, cacheReadTokens, cacheWriteTokens],
    ]);
    expect(sums).toEqual([
      [undefined, undefined, undefined],
      [10, 0, 0],
    ]);
  });
});

describe("lines", () => {
  it("tell the tokens of their prompt's cache, older ones by their receipts", async () => {
    const receipt = encodeReceiptDetail({
      ...{ requestedModel: "m", upstreamModel: "m", end: "complete", isStream: false, durationMs: 1 },
      ...{ firstByteMs: undefined, promptTokens: 10, completionTokens: 3, cacheReadTokens: 7 },
      ...{ cacheWriteTokens: undefined, cacheWrite1hTokens: undefined, audioInputTokens: undefined },
      ...{ audioOutputTokens: undefined, reasoningTokens: undefined, promptSource: "upstream" },
      ...{ completionSource: "upstream", quota: 1, shortfall: 0, keyShortfall: 0, priceVersion: 1 },
      ...{ formula: "", attempts: [] },
    });
    await store([
      chargeOf(DAY, 1, { cacheReadTokens: 4, cacheWriteTokens: 2, receipt }),
      chargeOf(DAY + 1, 2, { cacheWriteTokens: 0, receipt }),
      chargeOf(DAY + 2, 3, { receipt }),
      chargeOf(DAY + 3, 4),
    ]);
    const lines = await log.queries.logs.page({}, 0, 10);
    expect(lines.map(({ cachedTokens, cacheWriteTokens }) => [cachedTokens, cacheWriteTokens])).toEqual([
      [undefined, undefined],
      [7, undefined],
      [undefined, 0],
      [4, 2],
    ]);
  });
});
