import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { UserWire } from "@tollgate/contract/api/user";
import { callApi } from "@tollgate/demo/api-client";
import { createRandom } from "@tollgate/testkit/random";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, addAccount } from "../api/relay/stage";
import { answerAsAsked, ClientBook, type Load, send, startLoad } from "./client-book";
import { findFaults, type Sampler, startSampler } from "./database-book";
import { continueProcess, type Site, startSite } from "./site";

/*
 * Three nodes under load, and what happens to them and to what they stand on. Clients keep a book of what they were given; after
 * each failure it is what was charged, what the balances and leases say, and what stands in the log, to the unit.
 */

const CLIENTS = 16;
const QUOTA = 50_000_000;
/** Longer than an answer waits for its charge. */
const OUTAGE_MS = 30_000;
/** So little that it is used up meanwhile. */
const FEW = 3_000;

const seed = Number(process.env.NODES_SEED ?? Date.now() % 1_000_000);
const random = createRandom(seed);
const below = (end: number): number => Math.floor(random() * end);

let site: Site;
let book: ClientBook;
let sampler: Sampler;
let accounts: Account[];
let poor: Account;

beforeAll(async () => {
  process.stdout.write(`NODES_SEED=${seed}\n`);
  site = await startSite({ nodes: 3 });
  answerAsAsked(site.upstream, 3);
  const { url } = site.balancer;
  const { root } = site;
  const withoutLimit = await addAccount(url, root, "unbounded", QUOTA, { unlimited_quota: true });
  // Bounded, but never in the way: it must be counted all the same.
  const limited = await addAccount(url, root, "limited", QUOTA, { rpm: 1_000_000, concurrency: 1000 });
  poor = await addAccount(url, root, "poor", FEW, { unlimited_quota: true });
  accounts = [withoutLimit, limited, limited, withoutLimit, withoutLimit, limited, poor];
  book = new ClientBook();
  sampler = startSampler(site.ask);
});

afterAll(async () => {
  process.stdout.write(`${JSON.stringify(book?.summary())}\n`);
  await sampler?.stop();
  await site?.close();
});

const next = () => ({
  key: (accounts[below(accounts.length)] as Account).key,
  input: 1 + below(5),
  output: 1 + below(30),
  isStream: random() < 0.5,
});

/** Waits until clients have got so many more whole answers. */
const served = async (count: number): Promise<void> => {
  const target = book.of("whole").length + count;
  await expect.poll(() => book.of("whole").length, { timeout: 60_000, interval: 20 }).toBeGreaterThan(target);
};

/** Everything must come to agree soon after the load. */
const agree = () =>
  expect.poll(() => findFaults(site, book, [poor.userId]).catch(String), { interval: 200 }).toEqual([]);

const liveNodes = async (): Promise<number | undefined> =>
  (await site.ask<{ count: number }>("SELECT count(*) FROM nodes WHERE expires_at > clock_timestamp()"))[0]
    ?.count;

const areReady = (): Promise<boolean[]> =>
  Promise.all(site.nodes.map(async ({ url }) => (await fetch(`${url}/readyz`)).ok));

/** Stops or continues the server with its processes. While it is stopped it starts none, and keeps those that end. */
const signalPostgres = (signal: "SIGSTOP" | "SIGCONT"): void => {
  const pid = site.postgres.pid();
  if (signal === "SIGSTOP") process.kill(pid, signal);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  for (const each of children.filter(Boolean).map(Number)) process.kill(each, signal);
  if (signal === "SIGCONT") process.kill(pid, signal);
};

/** Lets something happen while clients ask, and goes on asking for a while afterwards. */
const underLoad = async (happens: () => Promise<void>): Promise<void> => {
  const load: Load = startLoad(site.balancer.url, book, CLIENTS, next);
  try {
    await served(40);
    await happens();
    await served(60);
  } finally {
    await load.stop();
  }
  await agree();
};

describe("clients' book, charges, balances and log agree to the unit", () => {
  it("while nothing happens", () => underLoad(() => served(100)));

  it("after a node was killed, and one started in its place", () =>
    underLoad(async () => {
      await site.nodes[0]?.kill();
      await served(60);
      await site.startNode(0);
    }));

  it(
    "after a node was stopped for longer than its leases hold, and went on",
    () =>
      underLoad(async () => {
        const pid = site.nodes[1]?.pid ?? 0;
        process.kill(pid, "SIGSTOP");
        try {
          await expect.poll(liveNodes, { interval: 200 }).toBe(2);
          // The others have taken its leases back, and go on with them.
          await served(60);
        } finally {
          continueProcess(pid);
        }
        await expect.poll(liveNodes, { interval: 200 }).toBe(3);
      }),
    90_000,
  );

  it("after all connections to PostgreSQL were cut, three times", () =>
    underLoad(async () => {
      for (let time = 0; time < 3; time += 1) {
        await site.ask(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
        );
        await served(20);
      }
    }));

  it("after PostgreSQL was cut off in the middle and recovered", () =>
    underLoad(async () => {
      await site.postgres.stop("QUIT");
      await site.postgres.start();
    }));

  it.each([
    ["was away", () => site.postgres.stop(), () => site.postgres.start()],
    ["stood still", async () => signalPostgres("SIGSTOP"), async () => signalPostgres("SIGCONT")],
  ])(
    "after PostgreSQL %s for 30 s: nodes took no requests any more, and broke off answers that they could not charge",
    (_, goAway, comeBack) =>
      underLoad(async () => {
        const before = book.outcomes.length;
        await goAway();
        const over = sleep(OUTAGE_MS);
        try {
          await expect.poll(areReady, { interval: 200 }).toEqual([false, false, false]);
          const refused = await fetch(`${site.nodes[2]?.url}/v1/chat/completions`, {
            method: "POST",
            headers: { authorization: `Bearer ${accounts[0]?.key}` },
            body: JSON.stringify({ model: "gpt-3.5-turbo", messages: [{ role: "user", content: "hi" }] }),
          });
          expect(refused.status, await refused.text()).toBe(503);
          expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
          await over;
        } finally {
          await comeBack();
        }
        await expect.poll(areReady, { interval: 200 }).toEqual([true, true, true]);
        const codes = book.outcomes
          .slice(before)
          .map((one) => (one.kind === "refused" ? one.code : one.kind));
        expect(codes).toContain("storage_failing");
      }),
    180_000,
  );

  it("after a client kept a user's row locked, while others were served by all nodes", () =>
    underLoad(async () => {
      const [open, locked] = accounts as [Account, Account];
      const client = new pg.Client({ connectionString: site.postgres.address() });
      await client.connect();
      await client.query("BEGIN");
      await client.query("SELECT 1 FROM users WHERE id = $1 FOR UPDATE", [locked.userId]);
      try {
        // Longer than a node takes requests that it cannot charge, and than it may hear nothing of other nodes.
        const until = performance.now() + 11_000;
        const change = { id: locked.userId, display_name: "locked" };
        const changes = site.nodes.map(({ url }) =>
          callApi("PUT", `${url}/api/user/`, change, { cookie: site.root.cookie }),
        );
        while (performance.now() < until) {
          for (const { url } of site.nodes) {
            const outcome = await send(url, { key: open.key, input: 1, output: 1 });
            book.outcomes.push(outcome);
            expect(outcome.kind, JSON.stringify(outcome)).toBe("whole");
          }
        }
        expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([503, 503, 503]);
      } finally {
        await client.query("COMMIT");
        await client.end();
      }
    }));

  it("after Redis was gone and came back", () =>
    underLoad(async () => {
      await site.stopRedis();
      await served(60);
      await site.startRedis();
    }));

  it("at every sampled moment, and people are shown the sum of balance and leases", async () => {
    const { faults, samples } = await sampler.stop();
    expect(faults).toEqual([]);
    expect(samples).toBeGreaterThan(50);
    for (const { userId } of accounts) {
      const user = await site.root.data<UserWire>("GET", `/api/user/${userId}`);
      const granted = userId === poor.userId ? FEW : QUOTA;
      expect(user.quota + user.used_quota).toBe(granted);
    }
  });

  it("when all nodes have ended, with nothing leased", async () => {
    expect(await Promise.all(site.nodes.map((node) => node.stop()))).toEqual([0, 0, 0]);
    expect(await site.ask("SELECT epoch FROM nodes")).toEqual([]);
    const leased = await site.ask(
      "SELECT epoch FROM user_leases WHERE quota <> 0 UNION ALL SELECT epoch FROM token_leases WHERE quota <> 0",
    );
    expect(leased).toEqual([]);
    expect(await findFaults(site, book, [poor.userId])).toEqual([]);
  });

  it("and would not, were a unit, a line or a charge missing", async () => {
    const [first, second] = book.of("whole");
    const spoil = async (text: string, ...values: unknown[]): Promise<string> => {
      await site.ask(text, values);
      return (await findFaults(site, book, [poor.userId])).join("\n");
    };
    expect(await spoil("UPDATE users SET quota = quota + 1 WHERE id = $1", poor.userId)).toContain(
      `"user ${poor.userId}"`,
    );
    expect(
      await spoil(
        "DELETE FROM logs USING receipts WHERE receipts.id = logs.receipt_id AND request_id = $1",
        first?.id,
      ),
    ).toMatch(new RegExp(`${first?.id} was charged \\d+ and the log says`));
    expect(await spoil("DELETE FROM charges WHERE request_id = $1", second?.id)).toContain(
      `${second?.id} arrived whole and was not charged`,
    );
  });
});
