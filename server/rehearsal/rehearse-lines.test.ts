import { parsePriceRules } from "@tollgate/contract/management/price-rule";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { priceAnswer } from "@tollgate/metering/bill";
import { findPrice, type PriceBook } from "@tollgate/metering/price";
import { RuleBook } from "@tollgate/metering/price-rules";
import { useOfTokens } from "@tollgate/metering/priced-use";
import { PricedBlock } from "@tollgate/storage/log/priced-lines";
import { createRandom } from "@tollgate/testkit/random";
import { describe, expect, it } from "vitest";
import { LineRehearsal } from "./rehearse-lines";

const HOUR = 1_767_225_600;
const RANGE = { from: HOUR, to: HOUR + 2 * 3600, asOf: undefined };

const decimal = (value: number) => ({ digits: BigInt(Math.round(value * 1000)), scale: 3 });

/** As options name a moment. */
const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(".000", "");

const rulesOf = (rules: object): RuleBook => {
  const read = parsePriceRules(JSON.stringify(rules));
  if ("fault" in read) throw new Error(String(read.fault));
  return new RuleBook(read);
};

const bookOf = (random: () => number): PriceBook => ({
  modelRatios: new Map(["a", "b", "c"].map((name) => [name, decimal(random() * 9)])),
  completionRatios: new Map([["a", decimal(random() * 5)]]),
  groupRatios: new Map([["vip", decimal(random())]]),
  groupGroupRatios: new Map([["gold", new Map([["vip", decimal(random() * 2)]])]]),
  rules: rulesOf({
    one: { user: 3, models: "*", factor: 0.8 },
    two: { group: "vip", models: "b", ratio: 1.7 },
    asked: { models: "alias*", names: "requested", factor: 1.3 },
    dated: { user: 4, models: "c", factor: 0.5, from: timeOf(HOUR + 1800) },
  }),
  modelPrices: new Map([
    [
      "c",
      [
        { input: 1, output: 2 },
        { from: timeOf(HOUR + 3600), input: 3.3, output: 4 },
      ],
    ],
  ]),
});

/** Lines as the engine charges them. */
const charged = (book: PriceBook, random: () => number) => {
  const shapes = new Map<string, number>();
  const blocks = [new PricedBlock(), new PricedBlock()];
  let total = 0;
  const ofUser = new Map<number, number>();
  for (let i = 0; i < 4000; i += 1) {
    const createdAt = HOUR + Math.floor(random() * 7200);
    const userId = 1 + Math.floor(random() * 6);
    const model = ["a", "b", "c"][Math.floor(random() * 3)] ?? "a";
    const group = random() < 0.5 ? "vip" : "default";
    const requestedModel = random() < 0.3 ? `alias-${model}` : model;
    const groups = userId % 2 === 0 ? ["gold", "default"] : [group];
    const price = findPrice(book, model, group, createdAt * 1000, { id: userId, groups }, requestedModel);
    if (!price) throw new Error("no price");
    const usage = { ...NO_USAGE, cacheReadTokens: Math.floor(random() * 50) };
    const bill = priceAnswer(price, Math.floor(random() * 9000), Math.floor(random() * 900), usage);
    const use = useOfTokens(price, { requestedModel, groups }, bill.counts, 1, undefined, usage);
    const shapeId = shapes.get(use.shape) ?? shapes.size + 1;
    shapes.set(use.shape, shapeId);
    const { values } = use;
    const line = { createdAt, shapeId, userId, quota: bill.quota, shortfall: 0, cost: 2, values };
    blocks[createdAt < HOUR + 3600 ? 0 : 1]?.add(line);
    total += bill.quota;
    ofUser.set(userId, (ofUser.get(userId) ?? 0) + bill.quota);
  }
  return { shapes: new Map([...shapes].map(([text, id]) => [id, text])), blocks, total, ofUser };
};

describe("lines that are repriced", () => {
  it("cost the same under unchanged prices, whatever rules, groups, names and dates these have", () => {
    for (const seed of [1, 2, 3]) {
      const random = createRandom(seed);
      const book = bookOf(random);
      const { shapes, blocks, total, ofUser } = charged(book, random);
      const rehearsal = new LineRehearsal(book, shapes, RANGE);
      for (const [index, block] of blocks.entries()) rehearsal.add(HOUR + index * 3600, block.data());
      const found = rehearsal.read();
      expect(found.total).toMatchObject({
        lines: 4000,
        charged: total,
        rehearsed: total,
        cost_thousandths: 8000,
      });
      expect(new Map(found.users.map(({ id, rehearsed }) => [id, rehearsed]))).toEqual(ofUser);
      for (const sums of [found.models, found.groups, found.users])
        expect(sums.reduce((sum, { rehearsed }) => sum + rehearsed, 0)).toBe(total);
    }
  });

  it("keep the old charge when they cannot be repriced, and are listed apart", () => {
    const block = new PricedBlock();
    const line = { createdAt: HOUR, shapeId: 1, userId: 1, quota: 100, shortfall: 0, cost: undefined };
    block.add({ ...line, values: [10, 10] });
    block.add({ ...line, values: [10, 10], quota: 3, shortfall: 7 });
    block.add({ ...line, values: [], quota: -50 });
    block.add({ ...line, shapeId: 2, values: [10, 10] });
    block.add({ ...line, shapeId: 99, values: [10, 10], quota: 5 });
    block.add({ ...line, createdAt: HOUR + 3000, values: [1, 1] });
    const book = { modelRatios: new Map([["a", decimal(2)]]), groupRatios: new Map() };
    const shapes = new Map([
      [1, '["a","default"]'],
      [2, '["gone","default"]'],
    ]);
    const rehearsal = new LineRehearsal(book, shapes, { from: HOUR, to: HOUR + 1000, asOf: undefined });
    rehearsal.add(HOUR, block.data());
    expect(rehearsal.read()).toMatchObject({
      total: { lines: 5, charged: 158, rehearsed: 40 + 3 - 50 + 100 + 5, costed_lines: 0 },
      kept: {
        shortfall: { lines: 1, quota: 3 },
        "not-repriceable": { lines: 2, quota: -45 },
        "no-price": { lines: 1, quota: 100 },
      },
      isOverflowing: false,
    });
  });

  it("say so when a sum is larger than a number holds, and tell the largest that it holds", () => {
    const block = new PricedBlock();
    const line = { createdAt: HOUR, shapeId: 1, userId: 1, shortfall: 0, cost: undefined };
    for (let i = 0; i < 3; i += 1) block.add({ ...line, quota: 1, values: [100_000_000, 100_000_000] });
    const book = {
      modelRatios: new Map([["a", { digits: 10n ** 29n, scale: 0 }]]),
      groupRatios: new Map(),
    };
    const rehearsal = new LineRehearsal(book, new Map([[1, '["a","default"]']]), RANGE);
    rehearsal.add(HOUR, block.data());
    const { total, isOverflowing } = rehearsal.read();
    expect(total).toMatchObject({ charged: 3, rehearsed: Number.MAX_SAFE_INTEGER });
    expect(isOverflowing).toBe(true);
  });
});
