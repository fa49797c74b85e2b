import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { ChannelWire } from "@tollgate/contract/api/channels";
import type { Receipt } from "@tollgate/contract/api/receipts";
import { addApiKey, addChannel, addUser } from "@tollgate/demo/build-world";
import { startFakeStripe } from "@tollgate/testkit/fake-payments/fake-stripe";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { createDataDir, databaseOf, type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, saveOptions, signIn, succeed } from "./client";

/*
 * The process is killed while administrators refund requests and decide about invoices. An answered call is the truth:
 * its change is there, once. An unanswered one happened as a whole, or not at all.
 */

const ROUNDS = 4;
const QUOTA = 10_000_000;
/** The process is killed within this time after a round's first requests and applications. */
const MAX_MS = 600;
/** Applications that a buyer sends before the next buyer: there is a limit per day. */
const APPLICATIONS_OF_BUYER = 40;

const TOLLGATE = fileURLToPath(new URL("../../../dist/server/tollgate.js", import.meta.url));
const FILE = Buffer.from("%PDF-1.7 an invoice").toString("base64");

type Call = (method: string, path: string, body?: unknown) => ReturnType<typeof callApi>;

/** A charged request. */
interface Charged {
  charged: number;
  /** The refund that was answered. */
  told?: number;
  /** Amounts of refunds without an answer. */
  open: Set<number>;
}

/** An application, with the states that its calls allow. */
interface Applied {
  order: string;
  states: Set<string>;
  buyer: Call;
}

const dataDir = createDataDir();
const requests = new Map<string, Charged>();
const applications = new Map<number, Applied>();
const refundedOrders = new Set<string>();

let upstream: FakeUpstream;
let stripe: Awaited<ReturnType<typeof startFakeStripe>>;
let server: ServerProcess;
let root: Call;
let admin: Call;
let payer: { id: number; username: string; key: string };
let channelId: number;
let buyers = 0;

/** Calls of a person, on whatever process runs. A killed process rejects. */
const callsOf =
  (cookie: string): Call =>
  (method, path, body) =>
    callApi(server.url, method, path, body, { cookie });

const start = (): Promise<ServerProcess> =>
  startServer({ dataDir, env: { LOG_LEVEL: "error", STRIPE_URL: stripe.url } });

const newPerson = async (name: string, more: Record<string, unknown> = {}) => {
  const found = await addUser(
    { cookie: "", api: (method, path, body) => root(method, path, body) },
    (username, password) => signIn(server.url, username, password),
    name,
    more,
  );
  return { ...found, call: callsOf(found.cookie) };
};

beforeAll(async () => {
  [upstream, stripe] = await Promise.all([startFakeUpstream(), startFakeStripe()]);
  server = await start();
  const signedIn = await signIn(server.url, "root", "123456");
  root = callsOf(signedIn.cookie);
  await saveOptions(signedIn, {
    ServerAddress: "https://gate.example.com",
    ...stripe.options,
    StripeEnabled: "true",
    PaymentEnabled: "true",
    InvoicesEnabled: "true",
  });
  channelId = await addChannel(signedIn, { type: 1, base_url: upstream.url, models: "gpt-3.5-turbo" });
  const deputy = await newPerson("admin");
  await succeed(root("POST", "/api/user/manage", { username: "admin", action: "promote" }));
  admin = deputy.call;
  const user = await newPerson("payer", { quota: QUOTA });
  const { key } = await addApiKey(user, { name: "limited", remain_quota: QUOTA });
  payer = { id: user.id, username: user.username, key };
});

afterAll(async () => {
  await server?.stop();
  await Promise.all([upstream?.close(), stripe?.close()]);
});

/** Asks once, and refunds some of the charge, sometimes twice at the same time. */
const askAndRefund = async (): Promise<void> => {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer sk-${payer.key}` },
    body: JSON.stringify({ model: "gpt-3.5-turbo", messages: [{ role: "user", content: "hello" }] }),
  });
  await response.text();
  // A node that was killed leased quota, which comes back later.
  if (response.status !== 200) return;
  const id = response.headers.get("x-oneapi-request-id") ?? "";
  const { quota: charged } = await succeed<Receipt>(root("GET", `/api/log/receipt?request_id=${id}`));
  const known: Charged = { charged, open: new Set() };
  requests.set(id, known);
  const refund = async (quota: number): Promise<void> => {
    known.open.add(quota);
    const { body } = await admin("POST", "/api/log/receipt/refund", {
      request_id: id,
      quota,
      reason: "wrong",
    });
    known.open.delete(quota);
    if (body.success) known.told = quota;
  };
  await Promise.all([refund(charged), ...(randomInt(3) === 0 ? [refund(Math.ceil(charged / 2))] : [])]);
};

/** Sends one call about an application. @param to its state afterwards. */
const decide = async (id: number, to: string, call: () => ReturnType<Call>): Promise<void> => {
  const { states } = applications.get(id) as Applied;
  const before = [...states];
  states.add(to);
  const { body } = await call();
  states.clear();
  for (const each of body.success ? [to] : before) states.add(each);
};

/** Buys, applies for an invoice, and lets an administrator decide; an issued one is sometimes reversed and refunded. */
const invoiceOne = async (buyer: Call, titleId: number): Promise<void> => {
  const { number } = await succeed<{ number: string }>(
    buyer("POST", "/api/order", { provider: "stripe", usd: "2" }),
  );
  await succeed(root("POST", `/api/payment/orders/${number}/complete`, { reason: "bank" }));
  const { id, amount } = await succeed<{ id: number; amount: number }>(
    buyer("POST", "/api/invoice/self", { title_id: titleId, orders: [number] }),
  );
  applications.set(id, { order: number, states: new Set(["open"]), buyer });
  const choice = randomInt(5);
  if (choice === 0) return decide(id, "withdrawn", () => buyer("POST", `/api/invoice/self/${id}/withdraw`));
  if (choice === 1)
    return decide(id, "declined", () => admin("POST", `/api/invoice/${id}/decline`, { reason: "no" }));
  await decide(id, "issued", () =>
    admin("POST", `/api/invoice/${id}/issue`, { amount, number: "1", file: FILE }),
  );
  if (choice === 2) return;
  await decide(id, "reversed", () => admin("POST", `/api/invoice/${id}/reverse`, { reason: "refund" }));
  const { body } = await admin("POST", `/api/payment/orders/${number}/refund`, { reason: "asked for it" });
  if (body.success) refundedOrders.add(number);
};

/** Repeats a step until the process is gone. */
const untilKilled = async (step: () => Promise<void>): Promise<void> => {
  for (;;)
    try {
      await step();
    } catch (error) {
      // Only a broken connection ends a worker: a refused call is a fault of the product.
      if (error instanceof TypeError) return;
      throw error;
    }
};

const buyAndInvoice = async (): Promise<void> => {
  buyers += 1;
  const { call } = await newPerson(`buyer-${buyers}`);
  const title = await succeed<{ id: number }>(
    call("POST", "/api/invoice/titles", { kind: "personal", name: "李雷" }),
  );
  for (let count = 0; count < APPLICATIONS_OF_BUYER; count += 1) await invoiceOne(call, title.id);
};

const examine = (): void => {
  const address = databaseOf(dataDir);
  const { status, stdout, stderr } = spawnSync(process.execPath, [TOLLGATE, "doctor"], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      ...(address ? { DATABASE_URL: address, MASTER_KEY: Buffer.alloc(32, 7).toString("base64") } : {}),
    },
    encoding: "utf8",
  });
  expect(status, stdout + stderr).toBe(0);
};

/** The refunds that stand, each checked against what was answered. @returns their sum. */
const sumRefunds = async (): Promise<number> => {
  let sum = 0;
  for (const [id, { charged, told, open }] of requests) {
    const { refund } = await succeed<Receipt>(root("GET", `/api/log/receipt?request_id=${id}`));
    if (told !== undefined) expect([id, refund?.quota]).toEqual([id, told]);
    else if (refund) expect([...open]).toContain(refund.quota);
    // A repeated refund is made only if the first was not stored.
    const again = await admin("POST", "/api/log/receipt/refund", { request_id: id, reason: "again" });
    expect([id, again.body.success]).toEqual([id, refund === undefined]);
    sum += refund?.quota ?? charged;
  }
  return sum;
};

describe("a process that is killed while money goes back", () => {
  it("has made every answered refund and decision once, and every other one as a whole or not at all", async () => {
    let open = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const work = [askAndRefund, askAndRefund, askAndRefund, buyAndInvoice, buyAndInvoice].map(untilKilled);
      const [asked, applied] = [requests.size, applications.size];
      await expect.poll(() => requests.size - asked, { interval: 10 }).toBeGreaterThan(2);
      await expect.poll(() => applications.size - applied, { interval: 10 }).toBeGreaterThan(0);
      await wait(randomInt(MAX_MS));
      await server.kill();
      await Promise.all(work);
      // In a database another node first has to give back what the killed one leased.
      if (!databaseOf(dataDir)) examine();
      server = await start();
      open += [...requests.values()].filter(({ told, open: left }) => told === undefined && left.size).length;
    }
    // The interesting moment: some refunds had no answer when the process died.
    expect(open).toBeGreaterThan(0);

    const refunds = await sumRefunds();
    const user = await succeed<{ quota: number; used_quota: number }>(root("GET", `/api/user/${payer.id}`));
    const { quota: logged } = await succeed<{ quota: number }>(
      root("GET", `/api/log/stat?type=2&username=${payer.username}`),
    );
    expect([user.used_quota, user.quota]).toEqual([logged, QUOTA - logged]);
    const channel = await succeed<ChannelWire>(root("GET", `/api/channel/${channelId}`));
    expect(channel.used_quota).toBe(logged);
    const month = new Date().toISOString().slice(0, 7);
    const statement = await succeed<{ movements: { cause: string; quota: number; entries: number }[] }>(
      root("GET", `/api/statement?user_id=${payer.id}&month=${month}`),
    );
    expect(statement.movements.find(({ cause }) => cause === "request-refund")).toMatchObject({
      entries: requests.size,
      quota: refunds,
    });
    for (const [id, { states, order, buyer }] of applications) {
      const found = await succeed<{ id: number; state: string; file_size: number }[]>(
        root("GET", `/api/invoice?keyword=${order}`),
      );
      const shown = found.find((each) => each.id === id);
      expect([...states], order).toContain(shown?.state);
      const live = found.filter(({ state }) => state === "open" || state === "issued");
      expect(live.length, order).toBeLessThanOrEqual(1);
      if (refundedOrders.has(order)) expect(live, order).toEqual([]);
      if (shown?.state !== "issued") continue;
      expect((await buyer("GET", `/api/invoice/self/${id}/file`)).text).toBe("%PDF-1.7 an invoice");
    }
    await server.stop();
    examine();
  });
});
