import { TICKET_SORTS } from "@tollgate/contract/api/tickets";
import type {
  NewTicket,
  TicketLimits,
  TicketOutcome,
  TicketRecord,
} from "@tollgate/contract/records/ticket-record";
import { ROLE_ADMIN, ROLE_ROOT } from "@tollgate/contract/values/roles";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, newUser } from "../testing/sample-records";
import type { AccountsUnderTest, StoreUnderTest } from "./testing/accounts-under-test";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";
import type { TicketSearch } from "./ticket-ports";

const newStore = onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore });

const DAY = 86_400;
/** The beginning of a day in UTC. */
const NOON = 20_000 * DAY;
const LIMITS: TicketLimits = { maxOpen: 3, maxDaily: 20, maxEntries: 6 };

let store: StoreUnderTest;
let accounts: AccountsUnderTest;
let root: number;
let admin: number;
let alice: number;
let bob: number;

const createUser = async (username: string, role?: number) =>
  (
    await accounts.changes.users.create(
      newUser({ username, affCode: username, ...(role === undefined ? {} : { role }) }),
      0,
      [],
    )
  ).user.id;

beforeEach(async () => {
  store = await newStore();
  accounts = await store.open(MASTER_KEY);
  root = await createUser("root", ROLE_ROOT);
  admin = await createUser("admin", ROLE_ADMIN);
  alice = await createUser("alice");
  bob = await createUser("Bob");
});

afterEach(async () => {
  await accounts.close();
  await store.remove();
});

const by = (authorId: number, at = NOON) => ({ authorId, authorName: `name ${authorId}`, at });

const open = (userId = alice, more: Partial<NewTicket> = {}, limits = LIMITS): Promise<TicketOutcome> =>
  accounts.changes.tickets.open(
    { ...by(userId), subject: "退款", category: "billing", text: "扣费有误", requestId: "", ...more },
    limits,
  );

/** The ticket of a step that has to be done. */
const done = async (step: Promise<TicketOutcome>): Promise<TicketRecord> => {
  const outcome = await step;
  if (outcome.kind === "refused") throw new Error(outcome.fault);
  return outcome.ticket;
};

const list = async (search: TicketSearch = {}): Promise<number[]> =>
  (await accounts.queries.tickets.page(search, 0, 99)).map(({ id }) => id);

const find = async (id: number) => {
  const ticket = await accounts.queries.tickets.find(id);
  if (!ticket) throw new Error(`no ticket ${id}`);
  return ticket;
};

describe("a ticket", () => {
  it("keeps its fields and its conversation", async () => {
    const { changes, queries } = accounts;
    const { id } = await done(open(alice, { requestId: "request-1", at: NOON + 1 }));
    expect(await find(id)).toEqual({
      ...{ id, userId: alice, username: "alice", subject: "退款", category: "billing" },
      ...{ state: "waiting-for-support", requestId: "request-1", assigneeId: 0, assigneeName: "" },
      ...{ messageCount: 1, createdAt: NOON + 1, changedAt: NOON + 1 },
    });
    await done(changes.tickets.answer(id, { ...by(admin, NOON + 2), text: "Which key?" }, LIMITS));
    await done(changes.tickets.addNote(id, { ...by(root, NOON + 3), text: "see #3" }, LIMITS));
    await done(changes.tickets.assign(id, { id: admin, name: "admin" }));
    expect(await find(id)).toMatchObject({
      ...{ state: "waiting-for-customer", messageCount: 2, changedAt: NOON + 2 },
      ...{ assigneeId: admin, assigneeName: "admin" },
    });
    await done(changes.tickets.close(id, "customer", by(alice, NOON + 4)));
    const entries = await queries.tickets.entries(id, true);
    expect(
      entries.map(({ kind, side, authorId, text, createdAt }) => [kind, side, authorId, text, createdAt]),
    ).toEqual([
      ["message", "customer", alice, "扣费有误", NOON + 1],
      ["message", "support", admin, "Which key?", NOON + 2],
      ["note", "support", root, "see #3", NOON + 3],
      ["closed", "customer", alice, "", NOON + 4],
    ]);
    expect(await queries.tickets.entries(id, false)).toEqual(entries.filter(({ kind }) => kind !== "note"));
    expect((await accounts.stored()).includes("see #3")).toBe(false);
  });

  it("is changed by its own user alone", async () => {
    const { id } = await done(open());
    const { tickets } = accounts.changes;
    const refused = { kind: "refused", fault: "not-found" };
    expect(await tickets.reply(id, { ...by(bob), text: "mine" }, LIMITS)).toEqual(refused);
    expect(await tickets.close(id, "customer", by(bob))).toEqual(refused);
    expect(await tickets.answer(id + 1, { ...by(admin), text: "x" }, LIMITS)).toEqual(refused);
    expect(await find(id)).toMatchObject({ state: "waiting-for-support", messageCount: 1 });
    expect(await accounts.queries.tickets.find(id + 1)).toBeUndefined();
  });

  it("is closed once, and opens again with a message, within the limit of open tickets", async () => {
    const { tickets } = accounts.changes;
    const { id } = await done(open());
    const closings = await Promise.all(
      (["customer", "support", "customer"] as const).map((side) => tickets.close(id, side, by(alice))),
    );
    expect(closings.filter(({ kind }) => kind === "done")).toHaveLength(1);
    for (let count = 0; count < LIMITS.maxOpen; count += 1) await done(open());
    const reply = () => tickets.reply(id, { ...by(alice), text: "again" }, LIMITS);
    expect(await reply()).toEqual({ kind: "refused", fault: "too-many-open" });
    await done(tickets.close(id + 1, "support", by(admin)));
    expect(await done(reply())).toMatchObject({ state: "waiting-for-support", messageCount: 2 });
  });

  it("names the last entry of the other side, by which notices are bundled", async () => {
    const { tickets } = accounts.changes;
    const entryOf = async (step: Promise<TicketOutcome>): Promise<number> => {
      const outcome = await step;
      return outcome.kind === "done" ? outcome.answeredEntry : -1;
    };
    const reply = (id: number) => entryOf(tickets.reply(id, { ...by(alice), text: "?" }, LIMITS));
    const { id } = await done(open());
    expect(await reply(id)).toBe(0);
    const answered = await entryOf(tickets.answer(id, { ...by(admin), text: "!" }, LIMITS));
    await tickets.addNote(id, { ...by(admin), text: "note" }, LIMITS);
    const first = await reply(id);
    expect(first).toBeGreaterThan(answered);
    expect(await reply(id)).toBe(first);
  });

  it("goes with its user, and leaves those of others", async () => {
    const { id } = await done(open());
    const { id: other } = await done(open(bob));
    await accounts.changes.users.remove(alice);
    expect(await list()).toEqual([other]);
    expect(await accounts.queries.tickets.entries(id, true)).toEqual([]);
    expect(await accounts.ask("SELECT user_id FROM ticket_senders")).toHaveLength(1);
  });
});

describe("limits", () => {
  it("hold for parallel steps of a user, and leave other users alone", async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => open()));
    expect(outcomes.filter(({ kind }) => kind === "done")).toHaveLength(LIMITS.maxOpen);
    await done(open(bob));
  });

  it("count the messages of a day, refused ones not", async () => {
    const limits = { ...LIMITS, maxDaily: 4 };
    const { id } = await done(open(alice, {}, limits));
    const reply = (at: number) => accounts.changes.tickets.reply(id, { ...by(alice, at), text: "x" }, limits);
    expect(await accounts.changes.tickets.reply(id + 9, { ...by(alice), text: "x" }, limits)).toMatchObject({
      fault: "not-found",
    });
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => reply(NOON)));
    expect(outcomes.filter(({ kind }) => kind === "done")).toHaveLength(3);
    expect(await reply(NOON + DAY - 1)).toEqual({ kind: "refused", fault: "too-many-today" });
    await done(reply(NOON + DAY));
  });

  it("keep a ticket from growing, and let it be closed", async () => {
    const { tickets } = accounts.changes;
    const { id } = await done(open());
    await done(tickets.addNote(id, { ...by(admin), text: "note" }, LIMITS));
    for (let count = 2; count < LIMITS.maxEntries; count += 1)
      await done(tickets.answer(id, { ...by(admin), text: "x" }, LIMITS));
    const full = { kind: "refused", fault: "full" };
    expect(await tickets.answer(id, { ...by(admin), text: "x" }, LIMITS)).toEqual(full);
    expect(await tickets.addNote(id, { ...by(admin), text: "x" }, LIMITS)).toEqual(full);
    expect(await tickets.reply(id, { ...by(alice), text: "x" }, LIMITS)).toEqual(full);
    await done(tickets.close(id, "support", by(admin)));
  });
});

describe("the list", () => {
  it("is narrowed by filters, a keyword and the role of users", async () => {
    const of = async (userId: number, more: Partial<NewTicket> = {}) => (await done(open(userId, more))).id;
    const own = await of(alice);
    const other = await of(bob, { subject: "Cannot sign in", category: "account", requestId: "r-1" });
    const ofAdmin = await of(admin);
    const ofRoot = await of(root);
    await accounts.changes.tickets.assign(other, { id: admin, name: "admin" });
    await accounts.changes.tickets.close(own, "support", by(admin));
    const cases: readonly [TicketSearch, number[]][] = [
      [{}, [ofRoot, ofAdmin, other, own]],
      [{ isOfCustomers: true }, [other, own]],
      [{ filter: { state: "closed" } }, [own]],
      [{ filter: { category: "account" } }, [other]],
      [{ filter: { user_id: admin } }, [ofAdmin]],
      [{ filter: { user_id: admin }, isOfCustomers: true }, []],
      [{ filter: { assignee_id: admin } }, [other]],
      [{ filter: { assignee_id: 0, state: "waiting-for-support" } }, [ofRoot, ofAdmin]],
      [{ keyword: "sign" }, [other]],
      [{ keyword: "bO" }, [other]],
      [{ keyword: "r-1" }, [other]],
      [{ keyword: `#${own}` }, [own]],
      [{ keyword: "%" }, []],
    ];
    for (const [search, ids] of cases) expect([search, await list(search)]).toEqual([search, ids]);
  });

  it.each(seeds(4))("has each ticket once in each order (seed %i)", async (seed) => {
    const random = createRandom(seed);
    const oneOf = <T>(values: readonly [T, ...T[]]): T =>
      values[Math.floor(random() * values.length)] ?? values[0];
    const limits = { maxOpen: 99, maxDaily: 99, maxEntries: 9 };
    for (let row = 0; row < 24; row += 1)
      await open(
        oneOf([alice, bob, admin]),
        {
          subject: oneOf(["a", "B", "丙"]),
          at: NOON + oneOf([0, 1, 2, 3]),
          category: oneOf(["other", "account"]),
        },
        limits,
      );
    const all = await list();
    for (const column of TICKET_SORTS)
      for (const isDescending of [false, true]) {
        const pages = await Promise.all(
          [0, 10, 20].map((offset) =>
            accounts.queries.tickets.page({}, offset, 10, { column, isDescending }),
          ),
        );
        expect(
          pages
            .flat()
            .map(({ id }) => id)
            .sort((a, b) => b - a),
        ).toEqual(all);
      }
  });
});

describe("silence", () => {
  it("closes tickets that wait for their users, the longest silent first, and no others", async () => {
    const { tickets } = accounts.changes;
    const limits = { ...LIMITS, maxOpen: 9 };
    const ids: number[] = [];
    for (let at = 0; at < 5; at += 1) ids.push((await done(open(alice, {}, limits))).id);
    const [late = 0, early = 0, unanswered = 0, noted = 0, closed = 0] = ids;
    await tickets.answer(late, { ...by(admin, NOON + 200), text: "x" }, limits);
    await tickets.answer(early, { ...by(admin, NOON + 100), text: "x" }, limits);
    await tickets.addNote(unanswered, { ...by(admin, NOON), text: "x" }, limits);
    await tickets.answer(noted, { ...by(admin, NOON), text: "x" }, limits);
    await tickets.reply(noted, { ...by(alice, NOON), text: "x" }, limits);
    await tickets.close(closed, "support", by(admin));
    const silent = async (before: number, limit = 9) =>
      (await tickets.closeSilent(before, NOON + 500, limit)).map(({ id }) => id);
    expect(await silent(NOON + 100)).toEqual([]);
    expect(await silent(NOON + 101)).toEqual([early]);
    expect(await silent(NOON + 101)).toEqual([]);
    expect(await silent(NOON + 999, 1)).toEqual([late]);
    expect(await silent(NOON + 999)).toEqual([]);
    expect((await accounts.queries.tickets.entries(early, false)).at(-1)).toMatchObject({
      ...{ kind: "closed", side: "gateway", authorId: 0, createdAt: NOON + 500 },
    });
    expect(await find(early)).toMatchObject({ state: "closed", changedAt: NOON + 500, username: "alice" });
    // Both had their last word of support: the next message is notified.
    const again = await tickets.reply(early, { ...by(alice, NOON + 600), text: "wait" }, limits);
    expect(again).toMatchObject({ kind: "done", ticket: { state: "waiting-for-support" } });
  });

  it("races with a message of the user: the ticket is closed, or waits for support", async () => {
    const { tickets } = accounts.changes;
    const { id } = await done(open());
    await done(tickets.answer(id, { ...by(admin), text: "x" }, LIMITS));
    const [closed] = await Promise.all([
      tickets.closeSilent(NOON + 1, NOON + 2, 9),
      done(tickets.reply(id, { ...by(alice, NOON + 2), text: "x" }, LIMITS)),
    ]);
    expect((await find(id)).state).toBe("waiting-for-support");
    const entries = await accounts.queries.tickets.entries(id, false);
    expect(entries.filter(({ kind }) => kind === "closed")).toHaveLength(closed.length);
  });

  it("deletes closed tickets after their time, with their entries", async () => {
    const { tickets } = accounts.changes;
    const [first, second, third] = [await done(open()), await done(open()), await done(open())];
    await tickets.close(first.id, "support", by(admin, NOON + 1));
    await tickets.close(second.id, "support", by(admin, NOON + 2));
    expect(await tickets.removeClosed(NOON + 1, 9)).toBe(0);
    expect(await tickets.removeClosed(NOON + 99, 1)).toBe(1);
    expect(await list()).toEqual([third.id, second.id]);
    expect(await tickets.removeClosed(NOON + 99, 9)).toBe(1);
    expect(await list()).toEqual([third.id]);
    expect(await accounts.ask("SELECT id FROM ticket_entries")).toHaveLength(1);
  });
});
