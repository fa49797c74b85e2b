import { createRandom } from "@tollgate/testkit/random";
import { caseCount } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Charge, encodeCharges } from "../accounts/charges";
import { chargeOf } from "../testing/charge-of";
import { onEngine } from "../testing/on-engine";
import { decodeReceiptDetail, encodeReceiptDetail, type ReceiptDetail } from "./receipt-detail";
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
  log = await newLog([{ id: 1, name: "main" }]);
});
afterEach(() => log.close());

const store = (charges: readonly Charge[]): Promise<void> => log.takeOver(encodeCharges([...charges])[1]);

type Served = Pick<ReceiptDetail["attempts"][number], "servedModel" | "isOtherModel" | "endedCost">;

const detailOf = (upstreamModel: string, served: Served): ReceiptDetail => ({
  ...{ requestedModel: "m", upstreamModel, end: "complete", isStream: false, durationMs: 1 },
  ...{ firstByteMs: undefined, promptTokens: 10, completionTokens: 3, cacheReadTokens: undefined },
  ...{ cacheWriteTokens: undefined, cacheWrite1hTokens: undefined, audioInputTokens: undefined },
  ...{ audioOutputTokens: undefined, reasoningTokens: undefined, promptSource: "upstream" },
  ...{ completionSource: "upstream", quota: 1, shortfall: 0, keyShortfall: 0, priceVersion: 1, formula: "" },
  attempts: [
    { channelId: 1, outcome: "ok", status: 200, startedMs: 0, firstByteMs: 1, durationMs: 2, ...served },
  ],
});

const servedCharge = (
  createdAt: number,
  modelName: string,
  served: Served,
  more: Partial<Charge> = {},
): Charge =>
  chargeOf(createdAt, 1, {
    ...{ modelName, isOtherModel: served.isOtherModel, channelId: 1 },
    receipt: encodeReceiptDetail(detailOf(modelName, served)),
    ...more,
  });

describe("a receipt", () => {
  it.each<Served>([
    {},
    { servedModel: "m", isOtherModel: false },
    { servedModel: "m-2024-08-06", isOtherModel: false },
    { servedModel: 'an"other', isOtherModel: true },
    { servedModel: "deployed" },
    { servedModel: "m" },
    { endedCost: { model: "m", cost: 5000, formula: "5 × 1 = 5", isEstimate: true } },
    {
      ...{ servedModel: "m", isOtherModel: false },
      endedCost: { model: "other", cost: 1, formula: "", isEstimate: false },
    },
  ])("keeps %j of its answer", (served) => {
    const { attempts } = decodeReceiptDetail(encodeReceiptDetail(detailOf("m", served)));
    expect(attempts).toEqual(detailOf("m", served).attempts);
  });
});

describe("the check of served models", () => {
  it("counts answers by another name, and tells the newest of them with its receipt", async () => {
    await store([
      servedCharge(DAY, "m", { servedModel: "m", isOtherModel: false }),
      servedCharge(DAY + 1, "m", { servedModel: "small", isOtherModel: true }, { requestId: "first" }),
      servedCharge(DAY + 2, "m", { servedModel: "tiny", isOtherModel: true }, { requestId: "last" }),
      servedCharge(DAY + 3, "m", {}),
      servedCharge(DAY + 4, "other", { servedModel: "other", isOtherModel: false }, { channelId: 2 }),
    ]);
    const rows = [
      {
        ...{ channel: 1, channel_name: "main", model: "m", named: 3, other: 2 },
        last: { name: "tiny", at: DAY + 2, request_id: "last" },
      },
      { channel: 2, channel_name: "", model: "other", named: 1, other: 0 },
    ];
    const { usage } = log.queries;
    expect(await usage.servedModels({}, 100, NOW)).toEqual(rows);
    expect(await usage.servedModels({}, 1, NOW)).toEqual(rows.slice(0, 1));
    expect(await usage.servedModels({ modelName: "other" }, 100, NOW)).toEqual(rows.slice(1));
    const filter = { outcome: "other-model", channelId: 1, modelName: "m" } as const;
    expect((await log.queries.logs.page(filter, 0, 9)).map(({ requestId }) => requestId)).toEqual([
      "last",
      "first",
    ]);
    expect(await log.queries.logs.page({ ...filter, modelName: "other" }, 0, 9)).toEqual([]);
    expect(await usage.servedModels({ modelName: "unknown" }, 100, NOW)).toEqual([]);
    expect(await usage.servedModels({ endTimestamp: DAY + 1 }, 100, NOW)).toMatchObject([
      { named: 2, other: 1, last: { name: "small", request_id: "first" } },
    ]);
    while (!(await log.maintenance.clearBefore(DAY + 3600, NOW)).isDone) {
      // Step by step.
    }
    const [first] = await usage.servedModels({}, 100, NOW);
    expect(first).toEqual({ channel: 1, channel_name: "main", model: "m", named: 3, other: 2 });
  });

  it("counts as a plain reading of all lines does, in any range, while buckets are added up", async () => {
    const random = createRandom(31);
    const below = (end: number): number => Math.floor(random() * end);
    let time = DAY;
    const charges = Array.from({ length: 200 }, () => {
      time += below(3) === 0 ? below(40_000) : below(900);
      const served = [
        {},
        { servedModel: "x", isOtherModel: true },
        { servedModel: "m", isOtherModel: false },
      ];
      return servedCharge(time, `model ${below(3)}`, served[below(3)] ?? {}, { channelId: 1 + below(2) });
    });
    await store(charges);
    const check = async (): Promise<void> => {
      const from = DAY + below(time - DAY);
      const filter = {
        startTimestamp: [undefined, from][below(2)],
        endTimestamp: [undefined, from + below(time - DAY)][below(2)],
        channelId: [undefined, 1][below(2)],
        modelName: [undefined, "model 1"][below(2)],
      };
      const counts = new Map<string, [named: number, other: number]>();
      for (const { channelId, modelName, createdAt, isOtherModel } of charges) {
        const isLeft =
          createdAt >= (filter.startTimestamp ?? 0) &&
          createdAt <= (filter.endTimestamp ?? NOW) &&
          (filter.channelId ?? channelId) === channelId &&
          (filter.modelName ?? modelName) === modelName;
        if (!isLeft || isOtherModel === undefined) continue;
        const [named, other] = counts.get(`${channelId} ${modelName}`) ?? [0, 0];
        counts.set(`${channelId} ${modelName}`, [named + 1, other + (isOtherModel ? 1 : 0)]);
      }
      const rows = await log.queries.usage.servedModels(filter, 100, NOW);
      const found = rows.map(({ channel, model, named, other }) => [`${channel} ${model}`, [named, other]]);
      expect(new Map(found as [string, [number, number]][]), JSON.stringify(filter)).toEqual(counts);
    };
    for (let round = 0; round < caseCount(60); round += 1) await check();
    while (await log.maintenance.closeBucket(NOW)) {
      // Step by step.
    }
    for (let round = 0; round < caseCount(60); round += 1) await check();
  });
});
