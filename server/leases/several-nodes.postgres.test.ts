import { type Accounts, createAccounts, loadAccounts } from "@tollgate/accounts/accounts";
import { NODE_LIFE_MS } from "@tollgate/metering/leases/liveness";
import { release, settle } from "@tollgate/metering/ledger";
import type { ApiKey } from "@tollgate/relay/ports/directory";
import { Channels } from "@tollgate/relay/routing/channels";
import { chargeRecordOf } from "@tollgate/relay/testing/charge-record-of";
import { openBookings } from "@tollgate/storage/accounts/postgres/open-bookings";
import { StorageConflict } from "@tollgate/storage/errors";
import { openPostgresLog } from "@tollgate/storage/postgres-log";
import { openPostgresStores, type PostgresStores } from "@tollgate/storage/postgres-stores";
import { createSecrets } from "@tollgate/storage/secrets";
import { moneyFaults } from "@tollgate/storage/testing/money-faults";
import { askDatabase, newDatabase } from "@tollgate/storage/testing/new-database";
import { MASTER_KEY, newToken, newUser } from "@tollgate/storage/testing/sample-records";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Charging } from "../engines/engine";
import { MoneyActions, someTime } from "../payments/testing/money-actions";
import { accountStoreOf, readStoredAccounts } from "../state/account-store";
import { createChangeFollower } from "../state/change-follower";
import { Options } from "../state/options";
import { createLeasing } from "./create-leasing";

/*
 * Three nodes on one real database, each with all parts of a server that move money: holds, charges, edits, codes,
 * recalls over the change feed. The displayed balances, the charges, the lines and the output delivered to clients
 * agree in the end.
 */

const COMMISSION_PERCENT = "15";
const FIRST = 4000;
const CODES = 10;
const CODE_QUOTA = 300;
const MARKET_STEPS = 90;
const CLIENTS = 16;
const ROUNDS = 25;

interface Node {
  stores: PostgresStores;
  accounts: Accounts;
  options: Options;
  charging: Charging;
  close(): Promise<void>;
}

let address: string;
let nodes: Node[];
let low: number[];
/** Unix seconds. */
let now: number;

const openNode = async (): Promise<Node> => {
  const reportError = (): void => {};
  const stores = await openPostgresStores({
    address,
    readAddress: undefined,
    masterKey: MASTER_KEY,
    nodeLifeMs: NODE_LIFE_MS,
    reportError,
    openLog: openPostgresLog,
    openBookings,
  });
  const secrets = createSecrets(MASTER_KEY);
  const options = await Options.load(stores.read, stores.write);
  const { leases, storeFailures } = stores;
  const leasing = createLeasing({ leases, storeFailures, about: () => ({}), reportError, onMove: () => {} });
  const tools = {
    hash: (text: string) => secrets.hash(text),
    now: () => now,
    amountUnit: () => ({ quotaPerUnit: 500_000, isCurrency: false }),
    reportError,
  };
  const accounts = createAccounts(accountStoreOf(stores), tools, leasing.money);
  await loadAccounts(accounts, await readStoredAccounts(stores.read, now));
  const channels = new Channels(stores.write.channels, {
    incidents: { channelDisabled: () => {}, keyDisabled: () => {}, channelEnabled: () => {} },
    isDisablingOn: () => true,
    nowMs: () => 0,
    announce: accounts.changes.announce,
    reportError,
  });
  const following = { now: () => now, onRecall: leasing.recalled, reportError };
  stores.feed.follow(createChangeFollower(stores.readInOrder, { accounts, channels, options }, following));
  const charging = leasing.openCharging({
    accounts,
    options,
    now: () => now * 1000,
    onQuotaLow: (_, left) => low.push(left),
    countActive: () => 1,
    ended: { charged: () => {}, failed: () => {}, lost: () => {} },
    limiter: { charge: () => {}, refund: () => {} },
  });
  await charging.start();
  return {
    stores,
    accounts,
    options,
    charging,
    async close() {
      await charging.close();
      await stores.close();
    },
  };
};

/** Cuts off every node that is connected. */
const cutOff = (): Promise<unknown> =>
  askDatabase(
    address,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'tollgate'`,
  );

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

beforeEach(async () => {
  address = await newDatabase();
  low = [];
  nodes = [];
  now = 1000;
});
afterEach(() => Promise.all(nodes.map((node) => node.close())));

const ask = (query: string) => askDatabase(address, query);

/** One user with a key that has a limit of its own and one that has none, and codes. */
const furnish = async (): Promise<void> => {
  const { write, close } = await openPostgresStores({
    address,
    readAddress: undefined,
    masterKey: MASTER_KEY,
    nodeLifeMs: NODE_LIFE_MS,
    reportError: () => {},
    openLog: openPostgresLog,
    openBookings,
  });
  const { user } = await write.users.create(newUser({ quota: FIRST }), 0, []);
  const inviter = await write.users.create(newUser({ username: "root", affCode: "r", quota: 0 }), 0, []);
  await askDatabase(address, `UPDATE users SET inviter_id = ${inviter.user.id} WHERE id = ${user.id}`);
  await write.options.put("CommissionPercent", COMMISSION_PERCENT, false);
  await write.tokens.create(newToken(user.id, { key: "limited", remainQuota: 2500 }));
  await write.tokens.create(newToken(user.id, { key: "unlimited", remainQuota: 0, unlimitedQuota: true }));
  await write.redemptions.create(
    Array.from({ length: CODES }, (_, index) => ({
      userId: 1,
      key: `code ${index}`,
      name: "gift",
      quota: CODE_QUOTA,
      createdTime: 1,
    })),
  );
  await close();
  nodes = await Promise.all([openNode(), openNode(), openNode()]);
};

const keyOf = ({ accounts }: Node, id: number): ApiKey => {
  const key = accounts.keys.findById(id);
  if (!key) throw new Error(`there is no key ${id}`);
  return key;
};

const figures = async () => {
  const [row] = await askDatabase(
    address,
    `SELECT u.quota::int AS quota, u.granted_quota::int AS granted, u.used_quota::int AS used,
       (SELECT coalesce(sum(quota), 0) FROM user_leases)::int AS leased,
       (SELECT remain_quota + taken_quota - granted_quota + (SELECT coalesce(sum(quota), 0) FROM token_leases)
          FROM tokens WHERE id = 1)::int AS of_key,
       (SELECT coalesce(sum(charged), 0) FROM charges WHERE is_refunded = 0)::int AS charged
     FROM users u WHERE id = 1`,
  );
  return row as Record<"quota" | "granted" | "used" | "leased" | "of_key" | "charged", number>;
};

/** One request on a node. @returns its charge, once its last byte may leave; undefined where there was none. */
const request = async (node: Node, keyId: number, most: number, price: number, id: string) => {
  const { holds, charges } = node.charging;
  const key = keyOf(node, keyId);
  const placed = await holds.place(key.user.account, key.account, 1, false, most);
  if (typeof placed === "string") return undefined;
  await pause(price % 4);
  if (price % 9 === 0) {
    release(placed);
    return undefined;
  }
  const { charged, ...rest } = settle(placed, price);
  const error = await new Promise<Error | undefined>((resolve) => {
    charges.commit(chargeRecordOf(key, { requestId: id, quota: charged, ...rest }), resolve, true);
  });
  if (error) throw error;
  return price;
};

describe("three nodes on PostgreSQL", () => {
  it("charge each delivered answer once, whatever is edited and redeemed meanwhile and however often they are cut off", async () => {
    await furnish();
    const random = createRandom(7);
    const below = (end: number): number => Math.floor(random() * end);
    const anyNode = (): Node => nodes[below(3)] as Node;
    const delivered = new Set<string>();
    let redeemed = 0;
    const client = async (name: number): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const id = `${name}-${round}`;
        const most = 1 + below(120);
        const price = await request(anyNode(), 1 + below(2), most, 1 + below(most), id);
        if (price !== undefined) delivered.add(id);
      }
    };
    const admin = async (): Promise<void> => {
      for (let index = 0; index < CODES; index += 1) {
        await pause(20);
        const { users, keys } = anyNode().accounts;
        const user = users.find(1);
        if (!user) throw new Error("the user is gone");
        // A cut connection is an error for the editing caller: only the database knows the outcome.
        await users.redeem(user, `code ${index}`).then(
          (quota) => {
            redeemed += quota;
          },
          () => {},
        );
        await users.change(1, { quota: 1000 + below(6000) }).catch(() => {});
        // A payment that is told on every node at once, and a refund of it, of which some is spent.
        const paid = { cause: "payment", reference: `order ${index}`, actorId: 0, at: 1 } as const;
        await Promise.allSettled(nodes.map(({ accounts }) => accounts.users.grant(1, 700, paid)));
        const back = { ...paid, cause: "payment-refund" } as const;
        await Promise.allSettled(nodes.map(({ accounts }) => accounts.users.take(1, 1 + below(900), back)));
        await keys.change(1, 1, { remainQuota: below(4000), name: `k${index}` }).catch(() => {});
      }
    };
    const cut = async (): Promise<void> => {
      for (let times = 0; times < 3; times += 1) {
        await pause(150);
        await cutOff();
      }
    };
    await Promise.all([...Array.from({ length: CLIENTS }, (_, name) => client(name)), admin(), cut()]);
    for (const { charging } of nodes) await charging.close();
    const { quota, granted, used, leased, of_key: ofKey, charged } = await figures();
    expect({ leased, ofKey, charged }).toEqual({ leased: 0, ofKey: 0, charged: used });
    expect(quota + used).toBe(granted);
    expect(quota).toBeGreaterThanOrEqual(0);
    expect(redeemed).toBeGreaterThan(0);
    expect(delivered.size).toBeGreaterThan(50);
    const rows = await askDatabase(address, "SELECT request_id FROM charges WHERE is_refunded = 0");
    expect(new Set(rows.map((row) => String(row.request_id)))).toEqual(delivered);
    const [entered] = await askDatabase(
      address,
      `SELECT sum(amount)::int AS sum, count(*) FILTER (WHERE cause = 'unexplained')::int AS unexplained,
         count(*) FILTER (WHERE cause = 'payment')::int AS paid,
         count(DISTINCT reference) FILTER (WHERE cause = 'payment')::int AS orders,
         bool_and(amount = 700) FILTER (WHERE cause = 'payment') AS whole
       FROM ledger_entries WHERE user_id = 1 AND account = 'balance'`,
    );
    expect(entered).toMatchObject({ sum: granted, unexplained: 0, paid: entered?.orders, whole: true });
    expect(entered?.paid).toBeGreaterThan(0);
    const [node] = nodes as [Node];
    expect(await node.stores.read.usage.consumedQuota({}, now + 1)).toBe(used);
    expect((await node.stores.read.users.find(1))?.quota).toBe(quota);
  });

  it("serve all of a balance from one node, and show its sum and set it while others lease it", async () => {
    await furnish();
    const [one, other] = nodes as [Node, Node];
    expect(await request(one, 2, 3000, 10, "first")).toBe(10);
    expect((await one.stores.read.users.find(1))?.quota).toBe(FIRST - 10);
    expect(await request(other, 2, FIRST - 10, 100, "second")).toBe(100);
    const edits = [one, other].map(({ accounts }) => accounts.users.change(1, { quota: 50 }));
    expect((await Promise.all(edits)).map((user) => user.quota)).toEqual([50, 50]);
    const lines = await one.stores.read.logs.page({ type: 3 }, 0, 10);
    expect(lines).toHaveLength(1);
    expect(await request(other, 2, 50, 50, "third")).toBe(50);
    const back = { cause: "payment-refund", reference: "1", actorId: 0, at: 1 } as const;
    // The balance that was set to 50 is used up; of a later grant another node reclaims the first one's lease.
    await one.accounts.users.grant(1, 900, { ...back, cause: "payment" });
    expect(await request(one, 2, 300, 100, "fourth")).toBe(100);
    const taken = await Promise.all([one, other].map(({ accounts }) => accounts.users.take(1, 5000, back)));
    expect(taken.toSorted((a, b) => a - b)).toEqual([0, 800]);
    expect((await one.stores.read.users.find(1))?.quota).toBe(0);
    expect(await request(one, 2, 10, 10, "none")).toBeUndefined();
    expect(low).toEqual([0]);
  });

  it.each(seeds(2))(
    "explain every balance by its entries, whatever is paid, claimed back, bought, earned and charged on them at once (seed %i)",
    async (seed) => {
      await furnish();
      const random = createRandom(seed);
      const below = (end: number): number => Math.floor(random() * end);
      const actions = new MoneyActions({
        random,
        now: () => now,
        buyerId: 1,
        inviterId: 2,
        scale: 4000,
        name: "order",
        // A cut call is an error for its caller; a repeated one is executed once.
        isExpected: (error) =>
          error instanceof Error && !(error instanceof TypeError) && !(error instanceof StorageConflict),
      });
      const [first] = nodes as [Node];
      await actions.furnish(first.stores);
      const sellers = nodes.map(({ stores: { read, write }, accounts, options }) =>
        actions.open({ read, write, accounts }, options),
      );
      const delivered = new Map<string, number>();
      let isOver = false;
      const client = async (name: number): Promise<void> => {
        for (let round = 0; !isOver; round += 1) {
          const id = `${name}-${round}`;
          const price = await request(
            nodes[below(3)] as Node,
            1 + below(2),
            1 + below(300),
            1 + below(90),
            id,
          );
          if (price !== undefined) delivered.set(id, price);
          if (price !== undefined && round % 5 === 0) {
            const [row] = await ask(
              `SELECT token_id AS "keyId", charged, taken_from_key AS taken FROM charges WHERE request_id = '${id}'`,
            ).catch(() => []);
            const { keyId, charged, taken } = (row ?? {}) as Record<string, number | null>;
            if ((charged ?? 0) > 0)
              actions.noteCharge({
                requestId: id,
                keyId: Number(keyId ?? 2),
                quota: Number(charged),
                takenFromKey: Number(taken),
                at: now,
              });
          }
          await pause(below(6));
        }
      };
      const market = async (): Promise<void> => {
        for (let step = 0; step < MARKET_STEPS; step += 1) {
          await Promise.all(Array.from({ length: 1 + below(3) }, () => actions.act(sellers)));
          if (step % 8 === 0) now += someTime(random);
          if (step % 40 === 39) await cutOff();
          if (step % 10 === 9) expect(await moneyFaults(ask, true)).toEqual([]);
        }
        isOver = true;
      };
      await Promise.all([...Array.from({ length: 4 }, (_, name) => client(name)), market()]);
      const [seller] = sellers as [(typeof sellers)[0]];
      await actions.settle(seller);
      for (const { charging } of nodes) await charging.close();
      await actions.settle(seller);
      expect(await moneyFaults(ask, true)).toEqual([]);
      expect([...(await actions.faults(seller)), ...actions.errors]).toEqual([]);
      const { quota, leased, used, charged } = await figures();
      expect([leased, charged, await seller.read.plans.own(1)]).toEqual([0, used, quota]);
      const rows = await ask("SELECT request_id FROM charges WHERE is_refunded = 0");
      expect(new Set(rows.map((row) => String(row.request_id)))).toEqual(new Set(delivered.keys()));
      const { paid, refunds, bought, requestRefunds } = actions.met;
      expect(Math.min(paid, refunds, bought, requestRefunds)).toBeGreaterThan(0);
    },
  );
});
