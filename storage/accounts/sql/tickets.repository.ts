import { TICKET_FILTERS, TICKET_SORTS } from "@tollgate/contract/api/tickets";
import type {
  NewTicketMessage,
  TicketActor,
  TicketEntryKind,
  TicketFault,
  TicketLimits,
  TicketOutcome,
  TicketRecord,
  TicketSide,
} from "@tollgate/contract/records/ticket-record";
import { ROLE_ADMIN } from "@tollgate/contract/values/roles";
import { type Kysely, type SqlBool, sql, type Updateable } from "kysely";
import type { Secrets } from "../../secrets";
import type { SqlDialect } from "../../sql/dialect";
import { filterRows } from "../../sql/filter-rows";
import { columnsOf, fieldsOf } from "../../sql/row-names";
import { nameColumn, readPage, storedColumns, userNameColumn } from "../../sql/sort-rows";
import type { TicketChanges, TicketQueries, TicketSearch } from "../ticket-ports";
import type { Row, Tables } from "./tables";

const DAY_SECONDS = 86_400;

/** Tickets with the current names of their users. */
const named = (db: Kysely<Tables>) =>
  db
    .selectFrom("tickets")
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom("users")
        .select("username")
        .whereRef("users.id", "=", "tickets.user_id")
        .$asScalar()
        .$notNull()
        .as("username"),
    );

const numberIn = (keyword: string): number =>
  /^#?\d{1,9}$/.test(keyword) ? Number(keyword.replace("#", "")) : 0;

const matching = (
  db: Kysely<Tables>,
  dialect: SqlDialect,
  { filter = {}, keyword, isOfCustomers = false }: TicketSearch,
) =>
  filterRows(named(db), filter, TICKET_FILTERS)
    .$if(keyword !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          dialect.contains("subject", keyword ?? ""),
          eb("id", "=", numberIn(keyword ?? "")),
          eb("request_id", "=", keyword ?? ""),
          eb(
            "user_id",
            "in",
            eb
              .selectFrom("users")
              .select("id")
              .where(dialect.beginsWith("username", keyword ?? "")),
          ),
        ]),
      ),
    )
    .$if(isOfCustomers, (query) =>
      query.where("user_id", "in", (eb) =>
        eb.selectFrom("users").select("id").where("role", "<", ROLE_ADMIN),
      ),
    );

export const ticketReads = (db: Kysely<Tables>, secrets: Secrets, dialect: SqlDialect): TicketQueries => ({
  async page(search, offset, limit, sort) {
    const columns = {
      ...storedColumns(TICKET_SORTS),
      created_time: sql.ref("created_at"),
      changed_time: sql.ref("changed_at"),
      subject: nameColumn("subject"),
      username: userNameColumn("user_id"),
    };
    const rows = await readPage(matching(db, dialect, search), sort, columns, { offset, limit });
    return rows.map(fieldsOf);
  },

  async find(id) {
    const row = await named(db).where("id", "=", id).executeTakeFirst();
    return row && fieldsOf(row);
  },

  async entries(id, hasNotes) {
    const rows = await db
      .selectFrom("ticket_entries")
      .selectAll()
      .where("ticket_id", "=", id)
      .$if(!hasNotes, (query) => query.where(sql<SqlBool>`kind <> 'note'`))
      .orderBy("id")
      .execute();
    return rows.map(({ text_sealed: sealed, ticket_id: _ticket, ...row }) => ({
      ...fieldsOf(row),
      text: sealed === "" ? "" : secrets.open(sealed),
    }));
  },
});

/** Why a step is refused, which undoes the whole transaction. */
class StepRefused extends Error {
  constructor(readonly fault: TicketFault | "not-found" | "closed") {
    super(fault);
  }
}

const DONE_BY: Readonly<Record<"customer" | "support", readonly TicketSide[]>> = {
  customer: ["support", "gateway"],
  support: ["customer"],
};

const outcomeOf = async (
  db: Kysely<Tables>,
  id: number,
  side: "customer" | "support",
): Promise<TicketOutcome> => {
  const row = await named(db).where("id", "=", id).executeTakeFirstOrThrow();
  const { last } = await db
    .selectFrom("ticket_entries")
    .select((eb) => eb.fn.max("id").as("last"))
    .where("ticket_id", "=", id)
    .where("kind", "<>", "note")
    .where("side", "in", DONE_BY[side])
    .executeTakeFirstOrThrow();
  return { kind: "done", ticket: fieldsOf(row), answeredEntry: Number(last ?? 0) };
};

/** Runs a step in a transaction, and reads the ticket after it. @param step returns the ticket's id. */
const stepOf = async (
  db: Kysely<Tables>,
  side: "customer" | "support",
  step: (transaction: Kysely<Tables>) => Promise<number>,
): Promise<TicketOutcome> => {
  try {
    return await db
      .transaction()
      .execute(async (transaction) => outcomeOf(transaction, await step(transaction), side));
  } catch (error) {
    if (error instanceof StepRefused) return { kind: "refused", fault: error.fault };
    throw error;
  }
};

/** Counts a message of a user, and locks the user's counter. @throws StepRefused above the limit of a day. */
const countMessage = async (
  db: Kysely<Tables>,
  { authorId, at }: TicketActor,
  { maxDaily }: TicketLimits,
): Promise<void> => {
  const day = Math.floor(at / DAY_SECONDS);
  const { messages } = await db
    .insertInto("ticket_senders")
    .values({ user_id: authorId, day, messages: 1 })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet({
        day,
        messages: sql<number>`CASE WHEN ticket_senders.day = ${day} THEN ticket_senders.messages + 1 ELSE 1 END`,
      }),
    )
    .returning("messages")
    .executeTakeFirstOrThrow();
  if (messages > maxDaily) throw new StepRefused("too-many-today");
};

/** @throws StepRefused for a user with too many open tickets. The caller holds the user's counter. */
const checkOpen = async (db: Kysely<Tables>, userId: number, { maxOpen }: TicketLimits): Promise<void> => {
  const { count } = await db
    .selectFrom("tickets")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .where("state", "<>", "closed")
    .executeTakeFirstOrThrow();
  if (Number(count) >= maxOpen) throw new StepRefused("too-many-open");
};

/** Locks a ticket until the transaction ends. @param ownerId undefined for administrators. @throws StepRefused */
const lockTicket = async (
  db: Kysely<Tables>,
  id: number,
  ownerId: number | undefined,
): Promise<Row<"tickets">> => {
  const row = await db
    .updateTable("tickets")
    .set((eb) => ({ state: eb.ref("state") }))
    .where("id", "=", id)
    .$if(ownerId !== undefined, (query) => query.where("user_id", "=", ownerId ?? 0))
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new StepRefused("not-found");
  return row;
};

/** @throws StepRefused for a ticket with too many messages and notes. The caller holds its lock. */
const checkRoom = async (
  db: Kysely<Tables>,
  id: number,
  { maxEntries }: Pick<TicketLimits, "maxEntries">,
): Promise<void> => {
  const { count } = await db
    .selectFrom("ticket_entries")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("ticket_id", "=", id)
    .where("kind", "<>", "closed")
    .executeTakeFirstOrThrow();
  if (Number(count) >= maxEntries) throw new StepRefused("full");
};

/** Adds an entry to a ticket whose row is locked. */
type AddEntry = (
  transaction: Kysely<Tables>,
  ticketId: number,
  kind: TicketEntryKind,
  side: TicketSide,
  entry: TicketActor & Partial<Pick<NewTicketMessage, "text">>,
) => Promise<void>;

const entryWriter =
  (secrets: Secrets): AddEntry =>
  async (transaction, ticketId, kind, side, { authorId, authorName, at, text = "" }) => {
    const text_sealed = text === "" ? "" : secrets.seal(text);
    await transaction
      .insertInto("ticket_entries")
      .values({
        ...{ ticket_id: ticketId, kind, side, text_sealed, created_at: at },
        ...columnsOf({ authorId, authorName }),
      })
      .execute();
  };

const change = async (
  transaction: Kysely<Tables>,
  id: number,
  columns: Updateable<Tables["tickets"]>,
): Promise<void> => {
  await transaction.updateTable("tickets").set(columns).where("id", "=", id).execute();
};

/** What a ticket's user does. */
const customerSteps = (db: Kysely<Tables>, addEntry: AddEntry): Pick<TicketChanges, "open" | "reply"> => ({
  open: (ticket, limits) =>
    stepOf(db, "customer", async (transaction) => {
      await countMessage(transaction, ticket, limits);
      await checkOpen(transaction, ticket.authorId, limits);
      const { id } = await transaction
        .insertInto("tickets")
        .values({
          user_id: ticket.authorId,
          subject: ticket.subject,
          category: ticket.category,
          state: "waiting-for-support",
          request_id: ticket.requestId,
          message_count: 1,
          created_at: ticket.at,
          changed_at: ticket.at,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      await addEntry(transaction, id, "message", "customer", ticket);
      return id;
    }),

  reply: (id, message, limits) =>
    stepOf(db, "customer", async (transaction) => {
      await countMessage(transaction, message, limits);
      const row = await lockTicket(transaction, id, message.authorId);
      if (row.state === "closed") await checkOpen(transaction, message.authorId, limits);
      await checkRoom(transaction, id, limits);
      await addEntry(transaction, id, "message", "customer", message);
      await change(transaction, id, {
        state: "waiting-for-support",
        message_count: row.message_count + 1,
        changed_at: message.at,
      });
      return id;
    }),
});

/** What administrators do, and what both sides may. */
const supportSteps = (
  db: Kysely<Tables>,
  addEntry: AddEntry,
): Pick<TicketChanges, "addNote" | "answer" | "assign" | "close"> => ({
  answer: (id, message, limits) =>
    stepOf(db, "support", async (transaction) => {
      const row = await lockTicket(transaction, id, undefined);
      await checkRoom(transaction, id, limits);
      await addEntry(transaction, id, "message", "support", message);
      await change(transaction, id, {
        state: "waiting-for-customer",
        message_count: row.message_count + 1,
        changed_at: message.at,
      });
      return id;
    }),

  addNote: (id, note, limits) =>
    stepOf(db, "support", async (transaction) => {
      await lockTicket(transaction, id, undefined);
      await checkRoom(transaction, id, limits);
      await addEntry(transaction, id, "note", "support", note);
      return id;
    }),

  close: (id, side, by) =>
    stepOf(db, side, async (transaction) => {
      const row = await lockTicket(transaction, id, side === "customer" ? by.authorId : undefined);
      if (row.state === "closed") throw new StepRefused("closed");
      await addEntry(transaction, id, "closed", side, by);
      await change(transaction, id, { state: "closed", changed_at: by.at });
      return id;
    }),

  assign: (id, assignee) =>
    stepOf(db, "support", async (transaction) => {
      await lockTicket(transaction, id, undefined);
      await change(transaction, id, {
        assignee_id: assignee?.id ?? 0,
        assignee_name: assignee?.name ?? "",
      });
      return id;
    }),
});

/** What time does. */
const agingSteps = (
  db: Kysely<Tables>,
  addEntry: AddEntry,
): Pick<TicketChanges, "closeSilent" | "removeClosed"> => ({
  closeSilent: (before, at, limit) =>
    db.transaction().execute(async (transaction): Promise<TicketRecord[]> => {
      const closed = await transaction
        .updateTable("tickets")
        .set({ state: "closed", changed_at: at })
        .where(
          "id",
          "in",
          transaction
            .selectFrom("tickets")
            .select("id")
            .where("state", "=", "waiting-for-customer")
            .where("changed_at", "<", before)
            .orderBy("changed_at")
            .limit(limit),
        )
        // A message may have come since the ids were read.
        .where("state", "=", "waiting-for-customer")
        .where("changed_at", "<", before)
        .returning("id")
        .execute();
      const ids = closed.map(({ id }) => id);
      for (const id of ids)
        await addEntry(transaction, id, "closed", "gateway", { authorId: 0, authorName: "", at });
      const rows = ids.length === 0 ? [] : await named(transaction).where("id", "in", ids).execute();
      return rows.map(fieldsOf);
    }),

  async removeClosed(before, limit) {
    const { numDeletedRows } = await db
      .deleteFrom("tickets")
      .where((eb) =>
        eb(
          "id",
          "in",
          eb
            .selectFrom("tickets")
            .select("tickets.id")
            .where("tickets.state", "=", "closed")
            .where("tickets.changed_at", "<", before)
            .orderBy("tickets.changed_at")
            .limit(limit),
        ),
      )
      .where("state", "=", "closed")
      .where("changed_at", "<", before)
      .executeTakeFirst();
    return Number(numDeletedRows);
  },
});

export const ticketWrites = (db: Kysely<Tables>, secrets: Secrets): TicketChanges => {
  const addEntry = entryWriter(secrets);
  return { ...customerSteps(db, addEntry), ...supportSteps(db, addEntry), ...agingSteps(db, addEntry) };
};
