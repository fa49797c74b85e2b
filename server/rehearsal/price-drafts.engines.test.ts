import type {
  AccountsUnderTest,
  StoreUnderTest,
} from "@tollgate/storage/accounts/testing/accounts-under-test";
import { newPostgresStore } from "@tollgate/storage/accounts/testing/postgres-store";
import { newSqliteStore } from "@tollgate/storage/accounts/testing/sqlite-store";
import { onEngine } from "@tollgate/storage/testing/on-engine";
import { MASTER_KEY } from "@tollgate/storage/testing/sample-records";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Options } from "../state/options";
import { PriceDrafts } from "./price-drafts";

const newStore = onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore });

let store: StoreUnderTest;
let accounts: AccountsUnderTest;
/** Another node, where there can be one. */
let other: AccountsUnderTest;
let clock: number;
let told: string[];

const openOther = onEngine({ sqlite: async () => accounts, postgres: () => store.open(MASTER_KEY) });

beforeEach(async () => {
  store = await newStore();
  accounts = await store.open(MASTER_KEY);
  other = await openOther();
  clock = 1000;
  told = [];
});

afterEach(async () => {
  if (other !== accounts) await other.close();
  await accounts.close();
  await store.remove();
});

/** A node with a memory of its own. */
const newNode = async ({ queries, changes }: AccountsUnderTest) => {
  const options = await Options.load(queries, changes);
  const drafts = new PriceDrafts({
    read: queries.priceDrafts,
    write: changes.priceDrafts,
    options,
    notices: { raise: ({ event, params }) => void told.push(`${event} ${params.name ?? params.source}`) },
    now: () => clock,
  });
  return { options, drafts, refresh: async () => options.refresh(await queries.options.all()) };
};
type Node = Awaited<ReturnType<typeof newNode>>;

const AUTHOR = { id: 1, username: "root" };
const ratiosOf = ({ options }: Node, key: "ModelRatio" | "GroupRatio" = "ModelRatio") =>
  JSON.parse(options.text(key)) as Record<string, number>;
const setUp = async (): Promise<Node> => {
  const node = await newNode(accounts);
  await node.options.put("ModelRatio", '{"a":1,"b":2,"c":3}');
  await node.options.put("GroupRatio", '{"default":1,"vip":0.5}');
  return node;
};

const CHANGES = {
  ModelRatio: { a: 1.5, b: null, fresh: 7 },
  GroupRatio: { vip: 0.75 },
  CacheBillingEnabled: "false",
};

describe("a draft of prices", () => {
  it("becomes the prices at one moment, as one change of them, and leaves everything else alone", async () => {
    const node = await setUp();
    const version = node.options.priceVersion;
    const draft = await node.drafts.create({ name: "spring", changes: CHANGES }, AUTHOR);
    expect(draft).toMatchObject({ state: "draft", conflicts: [], base: { ModelRatio: { a: 1, b: 2 } } });
    await node.options.put("ModelRatio", '{"a":1,"b":2,"c":3,"d":4}');
    expect(await node.drafts.publish(draft.id, { revision: draft.revision })).toMatchObject({
      state: "published",
      holds_from: clock,
    });
    expect(ratiosOf(node)).toEqual({ a: 1.5, c: 3, d: 4, fresh: 7 });
    expect(ratiosOf(node, "GroupRatio")).toEqual({ default: 1, vip: 0.75 });
    expect(node.options.isOn("CacheBillingEnabled")).toBe(false);
    expect(node.options.priceVersion).toBe(version + 2);
    expect(told).toEqual(["prices-changed spring"]);
  });

  it("is published once, however many do so at the same moment, on any node", async () => {
    const [node, second] = [await setUp(), await newNode(other)];
    await second.refresh();
    const version = node.options.priceVersion;
    const { id, revision } = await node.drafts.create({ name: "once", changes: CHANGES }, AUTHOR);
    const tries = [node, second, node, second].map((each) => each.drafts.publish(id, { revision }));
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await Promise.all([node.refresh(), second.refresh()]);
    expect([node.options.priceVersion, second.options.priceVersion]).toEqual([version + 1, version + 1]);
    expect(ratiosOf(second)).toEqual({ a: 1.5, c: 3, fresh: 7 });
    expect(told).toHaveLength(1);
  });

  it("overwrites no later change of another administrator until that becomes its base", async () => {
    const node = await setUp();
    const draft = await node.drafts.create({ name: "late", changes: CHANGES }, AUTHOR);
    await node.options.put("ModelRatio", '{"a":9,"b":2,"c":3}');
    await expect(node.drafts.publish(draft.id, { revision: draft.revision })).rejects.toMatchObject({
      key: "price-draft-conflict",
      params: { option: "ModelRatio", name: "a" },
    });
    expect(ratiosOf(node).a).toBe(9);
    expect((await node.drafts.find(draft.id)).conflicts).toEqual([{ option: "ModelRatio", name: "a" }]);
    const { name, revision } = draft;
    const rebased = await node.drafts.change(draft.id, { name, revision, changes: CHANGES, rebase: true });
    expect(rebased.conflicts).toEqual([]);
    await node.drafts.publish(draft.id, { revision: rebased.revision });
    expect(ratiosOf(node).a).toBe(1.5);
  });

  it("is published as read or not at all when another administrator changes it concurrently", async () => {
    const node = await setUp();
    const { id, revision } = await node.drafts.create({ name: "seen", changes: CHANGES }, AUTHOR);
    const { priceDrafts: read } = accounts.queries;
    const drafts = new PriceDrafts({
      read: {
        ...read,
        async find(of) {
          const record = await read.find(of);
          await node.drafts.change(id, { name: "seen", revision, changes: { GroupRatio: { vip: 0.6 } } });
          return record;
        },
      },
      write: accounts.changes.priceDrafts,
      options: node.options,
      notices: { raise: () => {} },
      now: () => clock,
    });
    await expect(drafts.publish(id, { revision: revision + 1 })).rejects.toMatchObject({
      key: "price-draft-changed",
    });
    expect(ratiosOf(node)).toEqual({ a: 1, b: 2, c: 3 });
  });

  it("keeps the recorded value of an entry when another one is changed, too", async () => {
    const node = await setUp();
    const draft = await node.drafts.create({ name: "two", changes: { ModelRatio: { a: 1.5 } } }, AUTHOR);
    await node.options.put("ModelRatio", '{"a":9,"b":8,"c":3}');
    const changes = { ModelRatio: { a: 1.5, b: 5 }, FallbackModelRatio: "2" };
    const changed = await node.drafts.change(draft.id, { name: "two", revision: 1, changes });
    expect(changed).toMatchObject({
      base: { ModelRatio: { a: 1, b: 8 }, FallbackModelRatio: "" },
      conflicts: [{ option: "ModelRatio", name: "a" }],
    });
  });

  it("is refused where it would make no prices", async () => {
    const node = await setUp();
    const refused = (changes: Record<string, string | Record<string, unknown>>) =>
      expect(node.drafts.create({ name: "bad", changes }, AUTHOR)).rejects.toMatchObject({ name: "Failure" });
    await refused({ ModelRatio: { a: -1 } });
    await refused({ ModelRatio: { a: "1" } });
    await refused({ ModelRatio: "{}" });
    await refused({ CacheBillingEnabled: "perhaps" });
    await refused({ CacheBillingEnabled: { a: 1 } });
    await refused({ ModelPrice: { a: { input: 1, unknown: 2 } } });
    await refused({ ServiceTierRatio: { flex: 0 } });
    await refused({ ModelRatio: { ["x".repeat(1_000_001)]: 1 } });
    expect(await node.drafts.list()).toEqual([]);
  });

  it("is listed without its changes: the number of entries, and the number that others have changed meanwhile", async () => {
    const node = await setUp();
    const { id } = await node.drafts.create({ name: "may", changes: CHANGES }, AUTHOR);
    const [listed, ...others] = await node.drafts.list();
    expect(others).toEqual([]);
    const { changes, base: _, conflicts, ...fields } = await node.drafts.find(id);
    expect(listed).toEqual({ ...fields, change_count: 5, conflict_count: 0 });
    expect([changes, conflicts]).toEqual([CHANGES, []]);
    await node.options.put("ModelRatio", '{"a":9,"b":2,"c":3}');
    expect(await node.drafts.list()).toMatchObject([{ change_count: 5, conflict_count: 1 }]);
  });

  it("takes names of any kind for names", async () => {
    const node = await setUp();
    const names = ["constructor", "", "a\u0000b", "\ud800", "=1+1", "<script>"];
    const ModelRatio = Object.fromEntries(names.map((name) => [name, 2]));
    const { id, revision } = await node.drafts.create({ name: "odd", changes: { ModelRatio } }, AUTHOR);
    await node.drafts.publish(id, { revision });
    expect(ratiosOf(node)).toEqual({ a: 1, b: 2, c: 3, ...ModelRatio });
  });
});

describe("a draft with a date", () => {
  it("holds from then on, once, whichever node looks first", async () => {
    const [node, second] = [await setUp(), await newNode(other)];
    await second.refresh();
    const version = node.options.priceVersion;
    const { id, revision } = await node.drafts.create({ name: "may", changes: CHANGES }, AUTHOR);
    const scheduled = await node.drafts.publish(id, { revision, holds_from: 5000 });
    expect(scheduled).toMatchObject({ state: "scheduled", holds_from: 5000 });
    await node.drafts.publishDue();
    expect(ratiosOf(node).a).toBe(1);
    clock = 5000;
    await Promise.all([node, second, node].map(({ drafts }) => drafts.publishDue()));
    await Promise.all([node.refresh(), second.refresh()]);
    expect(ratiosOf(second).a).toBe(1.5);
    expect(second.options.priceVersion).toBe(version + 1);
    expect(await node.drafts.find(id)).toMatchObject({ state: "published", holds_from: 5000 });
    await second.drafts.publishDue();
    expect(told).toEqual(["prices-changed may"]);
  });

  it("is a draft again, and people are told, where the same was changed meanwhile", async () => {
    const node = await setUp();
    const { id, revision } = await node.drafts.create({ name: "may", changes: CHANGES }, AUTHOR);
    await node.drafts.publish(id, { revision, holds_from: 5000 });
    await node.options.put("GroupRatio", '{"default":1,"vip":0.1}');
    clock = 6000;
    await node.drafts.publishDue();
    await node.drafts.publishDue();
    expect(await node.drafts.find(id)).toMatchObject({ state: "draft", fault: "price-draft-conflict" });
    expect(ratiosOf(node, "GroupRatio").vip).toBe(0.1);
    expect(ratiosOf(node).a).toBe(1);
    expect(told).toEqual(["price-draft-refused may"]);
  });

  it("can be taken back and discarded, by who has seen it as it is", async () => {
    const node = await setUp();
    const made = await node.drafts.create({ name: "may", changes: CHANGES }, AUTHOR);
    const { id } = made;
    const { revision } = await node.drafts.publish(id, { revision: made.revision, holds_from: 5000 });
    const change = { name: "other", revision, changes: {} };
    await expect(node.drafts.change(id, change)).rejects.toMatchObject({ key: "price-draft-changed" });
    await expect(node.drafts.unschedule(id, revision - 1)).rejects.toMatchObject({
      key: "price-draft-changed",
    });
    const back = await node.drafts.unschedule(id, revision);
    expect(back).toMatchObject({ state: "draft", holds_from: 0 });
    await expect(node.drafts.remove(id)).rejects.toMatchObject({ key: "price-draft-missing" });
    await node.drafts.discard(id, back.revision);
    clock = 6000;
    await node.drafts.publishDue();
    expect(ratiosOf(node).a).toBe(1);
    await node.drafts.remove(id);
    await expect(node.drafts.find(id)).rejects.toMatchObject({ key: "price-draft-missing" });
  });
});
