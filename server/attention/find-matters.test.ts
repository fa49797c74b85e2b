import { MATTERS, MAX_NAMED } from "@tollgate/contract/api/attention";
import { describe, expect, it } from "vitest";
import { findMatters, type MatterTools } from "./find-matters";

const NOW = 1_800_000_000;

const channel = (id: number, more: object = {}) => ({
  id,
  name: `channel-${id}`,
  status: 1,
  models: [],
  groups: ["default"],
  modelMapping: {},
  ...more,
});

interface World {
  channels?: { channel: ReturnType<typeof channel>; deadKeys: number }[];
  incidents?: { event: string; subject: string; isResolved: boolean }[];
  points?: object[];
  nodes?: object[];
  drafts?: object[];
  faults?: object[];
  orders?: object[];
  byHand?: object[];
  asking?: object[];
  payouts?: object[];
  tickets?: { username: string; isOfCustomer: boolean }[];
  invoices?: { username: string; state: string; needsReversal: boolean }[];
}

/** Tools without any matters, except those that a test adds. */
const toolsOf = (world: World): MatterTools => {
  const channels = world.channels ?? [];
  const list =
    (rows: object[] = []) =>
    async () =>
      rows;
  return {
    now: () => NOW,
    nodes: { all: list(world.nodes) },
    priceDrafts: { list: list(world.drafts) },
    pricing: { book: () => ({ groupRatios: new Map(), findListPrice: () => undefined }) },
    channels: {
      overview: () => channels,
      enabled: () => [],
      buyingPricesOf: () => undefined,
      recordOf: (id: number) => channels.find((each) => each.channel.id === id),
    },
    storage: {
      read: {
        notices: {
          open: list(world.incidents),
          paramsOf: async () => [JSON.stringify({ place: "/backups", reason: "ENOSPC: no space left" })],
        },
        usage: { pointsJson: async () => JSON.stringify(world.points ?? []) },
        orders: {
          byHand: list(world.byHand),
          asking: list(world.asking),
          faults: list(world.faults),
          page: list(world.orders),
        },
        commissions: { payouts: list(world.payouts) },
        tickets: {
          page: async ({ isOfCustomers }: { isOfCustomers: boolean }) =>
            (world.tickets ?? []).filter(({ isOfCustomer }) => isOfCustomer || !isOfCustomers),
        },
        invoices: {
          page: async (filter: { state?: string; needsReversal?: boolean }) =>
            (world.invoices ?? []).filter((invoice) =>
              filter.needsReversal ? invoice.needsReversal : invoice.state === filter.state,
            ),
        },
      },
    },
  } as unknown as MatterTools;
};

const find = (world: World, isRoot = true) => findMatters(toolsOf(world), isRoot);

const point = (key: string, requests: number, errors: number) => ({
  time: NOW,
  key,
  name: "",
  requests,
  errors,
  prompt_tokens: 0,
  completion_tokens: 0,
  quota: 0,
  duration_ms: 0,
  first_byte_ms: 0,
  streams: 0,
});

const known = (id: number, more: object = {}, deadKeys = 0) => ({ channel: channel(id, more), deadKeys });

describe("the list of matters", () => {
  it("is empty when no matter waits", async () => expect(await find({})).toEqual([]));

  it.each<[string, World, string[]]>([
    [
      "backup-failed",
      { incidents: [{ event: "backup-failed", subject: "/backups", isResolved: false }] },
      ["/backups: ENOSPC: no space left"],
    ],
    [
      "nodes-silent",
      {
        nodes: [
          { state: "silent", name: "eu-1" },
          { state: "live", name: "eu-2" },
          { state: "leaving", name: "eu-3" },
        ],
      },
      ["eu-1"],
    ],
    [
      "channels-disabled",
      { channels: [known(1, { status: 3 }), known(2, { status: 2 }), known(3)] },
      ["channel-1"],
    ],
    ["keys-disabled", { channels: [known(1, {}, 2), known(2), known(3, { status: 2 }, 1)] }, ["channel-1"]],
    [
      "upstream-balance-low",
      {
        channels: [known(1), known(2), known(3, { status: 2 })],
        incidents: [
          { event: "upstream-balance-low", subject: "1", isResolved: false },
          { event: "upstream-balance-low", subject: "2", isResolved: true },
          { event: "upstream-balance-low", subject: "3", isResolved: false },
          { event: "upstream-balance-low", subject: "4", isResolved: false },
        ],
      },
      ["channel-1"],
    ],
    [
      "channels-failing",
      {
        channels: [known(1), known(2), known(3), known(4, { status: 2 })],
        points: [
          point("1", 4, 6),
          point("1", 6, 4),
          point("2", 11, 10),
          point("3", 0, 9),
          point("4", 0, 100),
          point("0", 0, 100),
        ],
      },
      ["channel-1"],
    ],
    [
      "refunds-open",
      { byHand: [{ order: { number: "n1" } }], asking: [{ order: { number: "n2" } }] },
      ["n1", "n2"],
    ],
    [
      "payments-refused",
      {
        faults: [
          { provider: "stripe", lastAt: NOW - 10 },
          { provider: "stripe", lastAt: NOW - 20 },
          { provider: "epay", lastAt: NOW - 90_000 },
        ],
      },
      ["stripe"],
    ],
    [
      "orders-open",
      {
        orders: [
          { number: "new", createdAt: NOW - 60 },
          { number: "old", createdAt: NOW - 1801 },
        ],
      },
      ["old"],
    ],
    ["invoices-open", { invoices: [{ username: "wang", state: "open", needsReversal: false }] }, ["wang"]],
    ["invoices-to-reverse", { invoices: [{ username: "li", state: "issued", needsReversal: true }] }, ["li"]],
    [
      "tickets-waiting",
      {
        tickets: [
          { username: "wang", isOfCustomer: true },
          { username: "admin", isOfCustomer: false },
        ],
      },
      ["wang", "admin"],
    ],
    ["payouts-asked", { payouts: [{ username: "wang" }, { username: "wang" }] }, ["wang"]],
    [
      "drafts-due",
      {
        drafts: [
          { name: "soon", state: "scheduled", fault: "", conflict_count: 0, holds_from: NOW + 100 },
          { name: "later", state: "scheduled", fault: "", conflict_count: 0, holds_from: NOW + 90_000 },
          { name: "draft", state: "draft", fault: "", conflict_count: 1, holds_from: 0 },
        ],
      },
      ["soon"],
    ],
    [
      "drafts-refused",
      { drafts: [{ name: "refused", state: "draft", fault: "conflict", conflict_count: 0, holds_from: 0 }] },
      ["refused"],
    ],
  ])("is %s", async (kind, world, names) => {
    const matters = await find(world);
    expect(matters.map((matter) => [matter.kind, matter.names])).toEqual([[kind, names]]);
  });

  it("is ordered by the cost of neglect, with the number of each matter and the first names", async () => {
    const channels = Array.from({ length: 12 }, (_, at) =>
      known(at + 1, { status: at < 9 ? 3 : 1 }, at < 9 ? 0 : 1),
    );
    const matters = await find({ channels, payouts: [{ username: "li" }] });
    expect(matters.map(({ kind, count }) => [kind, count])).toEqual([
      ["channels-disabled", 9],
      ["keys-disabled", 3],
      ["payouts-asked", 1],
    ]);
    expect(matters[0]?.names).toHaveLength(MAX_NAMED);
    expect(matters.map(({ ids }) => ids)).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9], [10, 11, 12], undefined]);
    const order = matters.map(({ kind }) => (MATTERS as readonly string[]).indexOf(kind));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it("says where a list was cut off", async () => {
    const [matter] = await find({ byHand: Array.from({ length: 100 }, () => ({ order: { number: "n" } })) });
    expect(matter).toMatchObject({ kind: "refunds-open", count: 100, limit: 100 });
  });

  it("shows root-only matters to root only", async () => {
    const world: World = {
      nodes: [{ state: "silent", name: "eu-1" }],
      incidents: [{ event: "backup-failed", subject: "/backups", isResolved: false }],
    };
    expect(await find(world, false)).toEqual([]);
  });
});
