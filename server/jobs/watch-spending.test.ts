import type { AuditRecord } from "@tollgate/contract/records/audit-record";
import { TOKEN_DISABLED, TOKEN_ENABLED } from "@tollgate/contract/values/statuses";
import type { KeySpending, NewModelSpending } from "@tollgate/storage/log/ports";
import { describe, expect, it } from "vitest";
import type { Notice } from "../notices/notices";
import { watchingSpending } from "./watch-spending";

const HOUR = 1_767_225_600;
const LONG_AGO = HOUR - 10 * 86_400;

const spending = (tokenId: number, quota: number, peakQuota: number, firstHour = LONG_AGO): KeySpending => ({
  userId: tokenId * 10,
  tokenId,
  quota,
  peakQuota,
  firstHour,
});

interface World {
  factor?: number;
  freezes?: boolean;
  newModels?: NewModelSpending[];
  newUse?: { keyId: number; networks: number; requests: number }[];
  open?: ["spending-unusual" | "key-frozen" | "models-unusual", string][];
  statuses?: Record<number, number>;
  isMine?: boolean;
  atSeconds?: number;
}

/** @param rows of every hour that is looked at, or of each. */
const look = async (
  rows: KeySpending[] | ((hour: number) => KeySpending[]),
  { factor = 5, freezes, newModels, newUse, open, statuses, isMine, atSeconds = HOUR + 1800 }: World = {},
) => {
  const raised: Notice[] = [];
  const resolved: string[] = [];
  const disabled: number[] = [];
  const audited: AuditRecord[] = [];
  const asked: number[][] = [];
  const job = watchingSpending({
    usage: {
      keySpending: async (...range) => {
        asked.push(range);
        return typeof rows === "function" ? rows(range[0]) : rows;
      },
      newModelSpending: async () => newModels ?? [],
    },
    newUse: async () => newUse ?? [],
    open: async () => (open ?? []).map(([event, subject]) => ({ event, subject, isResolved: false })),
    options: {
      number: (name) =>
        name === "UnusualNetworkRequests"
          ? (newUse?.length ?? 0)
          : name === "UnusualSpendingFactor"
            ? factor
            : 1000,
      isOn: (name) => (name === "UnusualModels" ? newModels !== undefined : (freezes ?? false)),
    },
    notices: {
      raise: (notice) => void raised.push(notice),
      resolve: (event, subject) => void resolved.push(`${event} ${subject}`),
    },
    keyOf: (id) =>
      id === 99
        ? undefined
        : {
            name: `key ${id}`,
            status: statuses?.[id] ?? TOKEN_ENABLED,
            userId: id * 10,
            username: `user ${id}`,
          },
    disableKey: async (_, id) => disabled.push(id),
    audit: { add: async (record) => void audited.push(record) },
    isMine: () => isMine ?? true,
    now: () => atSeconds,
  });
  await job.run(() => false);
  return { raised, resolved, disabled, audited, asked };
};

describe("unusual spending of a key", () => {
  it("is a multiple of its highest hour, told to its owner and the site, the largest first", async () => {
    const { raised, disabled, asked } = await look([
      spending(1, 500, 100),
      spending(2, 499, 100),
      spending(3, 9000, 0),
    ]);
    expect(raised).toMatchObject([
      { event: "spending-unusual", subject: 3, userId: 30 },
      {
        event: "spending-unusual",
        subject: 1,
        userId: 10,
        params: { id: 1, name: "key 1", username: "user 1", quota: 500, usual: 100 },
      },
    ]);
    expect(disabled).toEqual([]);
    expect(asked).toEqual([[HOUR, HOUR - 30 * 86_400, 1000]]);
  });

  it("is not looked for in a key without a day of past, in a deleted one, or where the factor is 0", async () => {
    const fresh = spending(1, 5000, 1, HOUR - 3600);
    expect((await look([fresh, spending(99, 5000, 1)])).raised).toEqual([]);
    const off = await look([spending(1, 5000, 1)], { factor: 0, open: [["spending-unusual", "1"]] });
    expect(off).toMatchObject({ raised: [], resolved: ["spending-unusual 1"], asked: [] });
  });

  it("at the end of an hour is found when the next one has begun, and told once", async () => {
    const next = HOUR + 3600;
    // 10 in each hour before, 1,000 at 58 minutes, and 2,000 in the next hour.
    const rowsAt = (seconds: number) => (hour: number) => {
      if (hour === next) return [spending(1, 2000, 1000)];
      return seconds < HOUR + 58 * 60 ? [] : [spending(1, 1000, 10)];
    };
    const lookAt = (atSeconds: number, open: World["open"] = []) =>
      look(rowsAt(atSeconds), { atSeconds, open, freezes: true });
    expect((await lookAt(HOUR + 57 * 60)).raised).toEqual([]);
    const { raised, asked } = await lookAt(next + 2 * 60);
    expect(raised).toMatchObject([{ event: "key-frozen", subject: 1, params: { quota: 1000, usual: 10 } }]);
    expect(asked).toEqual([next, HOUR].map((hour) => [hour, hour - 30 * 86_400, 1000]));
    const again = await lookAt(next + 7 * 60, [["key-frozen", "1"]]);
    expect(again).toMatchObject({ disabled: [], raised: [], resolved: [] });
    const later = await lookAt(next + 12 * 60, [["key-frozen", "1"]]);
    expect(later).toMatchObject({
      raised: [],
      resolved: ["key-frozen 1"],
      asked: [[next, expect.any(Number), 1000]],
    });
  });

  it("in two hours is told once", async () => {
    const { raised } = await look([spending(1, 500, 100)], {
      atSeconds: HOUR + 60,
      newUse: [{ keyId: 1, networks: 1, requests: 1 }],
    });
    expect(raised).toHaveLength(1);
  });

  it("switches the key off where the site wants that, once for the same spending", async () => {
    const rows = [spending(1, 5000, 100)];
    const first = await look(rows, { freezes: true });
    expect(first.disabled).toEqual([1]);
    expect(first.raised).toMatchObject([{ event: "key-frozen", subject: 1, userId: 10 }]);
    expect(first.audited).toEqual([
      {
        ...{
          createdAt: HOUR + 1800,
          userId: 0,
          username: "",
          address: "",
          action: "token.disable",
          target: "1",
        },
        beneficiary: { id: 10, username: "user 1" },
        detail: '{"reason":"spending-unusual","quota":5000,"usual":100}',
      },
    ]);
    // Its owner has switched it on again.
    const second = await look(rows, { freezes: true, open: [["key-frozen", "1"]] });
    expect(second).toMatchObject({ disabled: [], raised: [], resolved: [], audited: [] });
    // The spending is as usual again: the next one counts.
    expect((await look([], { freezes: true, open: [["key-frozen", "1"]] })).resolved).toEqual([
      "key-frozen 1",
    ]);
  });

  it("of a key that is off already is told, without another switch", async () => {
    const { raised, disabled, audited } = await look([spending(1, 5000, 100)], {
      freezes: true,
      statuses: { 1: TOKEN_DISABLED },
    });
    expect(raised.map(({ event }) => event)).toEqual(["spending-unusual"]);
    expect([disabled, audited]).toEqual([[], []]);
  });

  it("is the work of one node", async () => {
    expect(await look([spending(1, 5000, 100)], { isMine: false })).toMatchObject({ raised: [], asked: [] });
  });

  it("is also that on models that are new to a key with a past, told once with their names", async () => {
    const newModel = (tokenId: number, model: string, quota: number): NewModelSpending => ({
      ...{ userId: tokenId * 10, tokenId, model, quota },
    });
    const newModels = [
      newModel(1, "small", 1000),
      newModel(1, "large", 4000),
      // Without a past, and with spending that is unusual anyway.
      newModel(2, "large", 9000),
      newModel(3, "large", 9000),
    ];
    const rows = [spending(1, 5000, 4000), spending(2, 9000, 1, HOUR), spending(3, 9000, 100)];
    const { raised } = await look(rows, { newModels });
    expect(raised.map(({ event, subject }) => [event, subject])).toEqual([
      ["spending-unusual", 3],
      ["models-unusual", 1],
    ]);
    expect(raised[1]?.params).toMatchObject({ quota: 5000, models: "large, small" });
    const alone = await look(rows, { newModels, factor: 0, freezes: true });
    expect(alone.raised.map(({ event }) => event)).toEqual(["key-frozen-models", "key-frozen-models"]);
    expect(alone.disabled).toEqual([3, 1]);
    const again = await look(rows, { newModels, factor: 0, freezes: true, open: [["models-unusual", "1"]] });
    expect(again.disabled).toEqual([3]);
  });

  it("is also use from networks that are new to the key, after its spending and once for a key", async () => {
    const newUse = [
      { keyId: 1, networks: 2, requests: 70 },
      { keyId: 2, networks: 1, requests: 50 },
    ];
    const { raised, disabled } = await look([spending(1, 5000, 100)], { newUse, freezes: true });
    expect(raised.map(({ event, subject }) => [event, subject])).toEqual([
      ["key-frozen", 1],
      ["key-frozen-networks", 2],
    ]);
    expect(raised[1]?.params).toMatchObject({ networks: 1, requests: 50 });
    expect(disabled).toEqual([1, 2]);
    const told = await look([], { newUse, factor: 0, statuses: { 1: TOKEN_DISABLED, 2: TOKEN_DISABLED } });
    expect(told.raised.map(({ event }) => event)).toEqual(["networks-unusual", "networks-unusual"]);
  });
});
