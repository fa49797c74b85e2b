import { randomUUID } from "node:crypto";
import {
  isNoticeEvent,
  type NoticeAudience,
  type NoticePhase,
  noticeEvent,
} from "@tollgate/contract/notices/notice-events";
import type {
  ClaimedNotice,
  NoticeOwner,
  NoticeTargetChange,
  RaisedNotice,
} from "@tollgate/contract/records/notice-record";
import type { Insertable, Kysely, Updateable } from "kysely";
import { sql } from "kysely";
import type { Secrets } from "../../secrets";
import { columnsOf, flagColumn } from "../../sql/row-names";
import type { NoticeChanges } from "../site-ports";
import { columnOf, LASTING, ownedBy, ownerOf, readTargets, toTarget } from "./notice-reads";
import type { Row, Tables } from "./tables";

/** Maximum notices waiting for one receiver; later ones are stored as not sent. */
const MAX_WAITING = 100;

/** How many receivers are told at once. */
const AT_ONCE = 20;

const fromEvents = (events: readonly string[]): string => `,${events.join(",")},`;

/** The content of a notice of an incident. */
interface NoticeContent extends Omit<RaisedNotice, "canMail"> {
  phase: NoticePhase;
}

/** Writes notices for all who want to be told. @returns how many wait. */
const queueNotices = async (
  db: Kysely<Tables>,
  content: NoticeContent,
  canMail: boolean,
): Promise<number> => {
  const { audiences, isMailed } = noticeEvent(content.event);
  let waiting = 0;
  const add = async (owner: NoticeOwner, target: Pick<Row<"notice_ways">, "id" | "kind" | "name">) => {
    const queued = await db
      .selectFrom("notices")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where(ownedBy(owner))
      .where("way_id", "=", target.id)
      .where("state", "=", "waiting")
      .executeTakeFirstOrThrow();
    const isFull = queued.count >= MAX_WAITING;
    const row: Insertable<Tables["notices"]> = {
      user_id: columnOf(owner),
      way_id: target.id,
      way_kind: target.kind,
      way_name: target.name,
      event: content.event,
      phase: content.phase,
      subject: content.subject,
      params: content.params,
      message_id: `msg_${randomUUID().replaceAll("-", "")}`,
      created_at: content.at,
      due_at: content.at,
      ...(isFull ? { state: "failed", fault: "too-many" } : { state: "waiting" }),
    };
    await db.insertInto("notices").values(row).execute();
    if (!isFull) waiting += 1;
  };
  const ownerFor = (audience: NoticeAudience): NoticeOwner | undefined =>
    audience === "site" ? "site" : content.userId;
  for (const audience of audiences) {
    const owner = ownerFor(audience);
    if (owner === undefined) continue;
    const targets = await db
      .selectFrom("notice_ways")
      .select(["id", "kind", "name", "is_enabled", "events"])
      .where(ownedBy(owner))
      .orderBy("id")
      .execute();
    // A user with targets decides by them; a user without any is told as before.
    if (targets.length === 0 && isMailed && canMail) await add(owner, { id: 0, kind: "email", name: "" });
    for (const target of targets)
      if (target.is_enabled === 1 && target.events.includes(`,${content.event},`)) await add(owner, target);
  }
  return waiting;
};

const toColumns = (
  { isEnabled, events, fields, ...change }: NoticeTargetChange,
  secrets: Secrets,
): Updateable<Tables["notice_ways"]> => ({
  ...columnsOf(change),
  is_enabled: flagColumn(isEnabled),
  events: events && fromEvents(events),
  fields_sealed: fields && secrets.seal(JSON.stringify(fields)),
});

const addTarget =
  (db: Kysely<Tables>, secrets: Secrets): NoticeChanges["addTarget"] =>
  (owner, target, most) =>
    db.transaction().execute(async (transaction) => {
      const { count } = await transaction
        .selectFrom("notice_ways")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where(ownedBy(owner))
        .executeTakeFirstOrThrow();
      if (count >= most) return undefined;
      const { isEnabled, events, fields, ...named } = target;
      const row = await transaction
        .insertInto("notice_ways")
        .values({
          ...columnsOf(named),
          user_id: columnOf(owner),
          is_enabled: Number(isEnabled),
          events: fromEvents(events),
          fields_sealed: secrets.seal(JSON.stringify(fields)),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return toTarget(row, secrets);
    });

const raise =
  (db: Kysely<Tables>): NoticeChanges["raise"] =>
  ({ canMail, ...raised }) =>
    db.transaction().execute(async (transaction) => {
      // One statement finds out whether it is told already: the second waits for the first's commit.
      const { raised: times } = await transaction
        .insertInto("notice_incidents")
        .values({
          event: raised.event,
          subject: raised.subject,
          user_id: raised.userId ?? null,
          params: raised.params,
          opened_at: raised.at,
          resolved_at: null,
          raised: 1,
        })
        .onConflict((conflict) =>
          conflict.columns(["event", "subject"]).doUpdateSet({
            resolved_at: null,
            raised: sql<number>`notice_incidents.raised + 1`,
          }),
        )
        .returning("raised")
        .executeTakeFirstOrThrow();
      if (times > 1) return 0;
      return queueNotices(transaction, { ...raised, phase: "opened" }, canMail);
    });

const settle =
  (db: Kysely<Tables>): NoticeChanges["settle"] =>
  (resolvedBefore, at, canMail) =>
    db.transaction().execute(async (transaction) => {
      const over = await transaction
        .deleteFrom("notice_incidents")
        .where("resolved_at", "<=", resolvedBefore)
        .returningAll()
        .execute();
      let waiting = 0;
      for (const { event, subject, user_id: userId, params } of over) {
        if (!isNoticeEvent(event) || !noticeEvent(event).hasRecovery) continue;
        const content = {
          event,
          subject,
          params,
          at,
          phase: "recovered" as const,
          userId: userId ?? undefined,
        };
        waiting += await queueNotices(transaction, content, canMail);
      }
      return waiting;
    });

const claim =
  (db: Kysely<Tables>, secrets: Secrets): NoticeChanges["claim"] =>
  (now, until, perMinute) =>
    db.transaction().execute(async (transaction): Promise<ClaimedNotice[]> => {
      const claimed = await transaction
        .updateTable("notices")
        .set((eb) => ({ claimed_until: until, tried_at: now, attempts: eb("attempts", "+", 1) }))
        // The site's first, then each user in turn, then untried ones: a user with many receivers that never answer
        // delays no other user.
        .where(sql<boolean>`id IN (
          SELECT each_receiver.id FROM (
            SELECT first.id, first.user_id, first.attempts,
              row_number() OVER (PARTITION BY first.user_id ORDER BY first.attempts, first.id) AS turn
            FROM (
              SELECT due.id, due.user_id, due.attempts,
                row_number() OVER (PARTITION BY due.way_id, due.user_id ORDER BY due.id) AS place
              FROM notices due
              WHERE due.state = 'waiting' AND due.due_at <= ${now} AND due.claimed_until <= ${now}
                AND (
                  SELECT count(*) FROM notices content
                  WHERE content.way_id = due.way_id AND coalesce(content.user_id, 0) = coalesce(due.user_id, 0)
                    AND content.tried_at > ${now - 60}
                ) < ${perMinute}
            ) first WHERE first.place = 1
          ) each_receiver
          ORDER BY CASE WHEN user_id IS NULL THEN 0 ELSE 1 END, turn, attempts, id LIMIT ${AT_ONCE})`)
        // Repeats the condition: an update that waited for another node's claim must see its result.
        .where("state", "=", "waiting")
        .where("claimed_until", "<=", now)
        .returningAll()
        .execute();
      const found: ClaimedNotice[] = [];
      for (const row of claimed) {
        const { id, event, phase, params, attempts, way_id: targetId } = row;
        const owner = ownerOf(row.user_id);
        const targets = targetId === 0 ? [] : await readTargets(transaction, secrets, owner);
        const target = targets.find((each) => each.id === targetId && each.isEnabled);
        if (isNoticeEvent(event))
          found.push({
            id,
            messageId: row.message_id,
            owner,
            event,
            phase: phase as NoticePhase,
            params,
            at: row.created_at,
            attempts,
            target: targetId === 0 ? undefined : (target ?? "gone"),
          });
      }
      return found;
    });

const noteTest =
  (db: Kysely<Tables>): NoticeChanges["noteTest"] =>
  async (target, messageId, outcome, at) => {
    await db
      .insertInto("notices")
      .values({
        user_id: columnOf(target.owner),
        way_id: target.id,
        way_kind: target.kind,
        way_name: target.name,
        event: "test",
        phase: "test",
        subject: "",
        params: "{}",
        message_id: messageId,
        created_at: at,
        state: outcome.state,
        due_at: at,
        tried_at: at,
        attempts: 1,
        fault: outcome.fault ?? "",
        status: outcome.status,
        detail: outcome.detail,
      })
      .execute();
  };

const forget =
  (db: Kysely<Tables>): NoticeChanges["forget"] =>
  async (before, most) => {
    await db
      .deleteFrom("notices")
      .where("state", "<>", "waiting")
      .where((eb) =>
        eb.or([
          eb("created_at", "<", before),
          sql<boolean>`id <= (SELECT id FROM notices ORDER BY id DESC LIMIT 1 OFFSET ${most})`,
        ]),
      )
      .execute();
    await db
      .deleteFrom("notice_incidents")
      .where("event", "not in", LASTING)
      .where("opened_at", "<", before)
      .execute();
  };

export const noticeWrites = (db: Kysely<Tables>, secrets: Secrets): NoticeChanges => ({
  async setRemindBelow(userId, quota) {
    if (quota === undefined) {
      await db.deleteFrom("notice_thresholds").where("user_id", "=", userId).execute();
      return;
    }
    await db
      .insertInto("notice_thresholds")
      .values({ user_id: userId, quota })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ quota }))
      .execute();
  },

  addTarget: addTarget(db, secrets),

  async changeTarget(owner, id, change) {
    const row = await db
      .updateTable("notice_ways")
      .set({ ...toColumns(change, secrets), id })
      .where(ownedBy(owner))
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    return row && toTarget(row, secrets);
  },

  async removeTarget(owner, id) {
    const removed = await db
      .deleteFrom("notice_ways")
      .where(ownedBy(owner))
      .where("id", "=", id)
      .returning("id")
      .executeTakeFirst();
    return removed !== undefined;
  },

  raise: raise(db),

  async reopen({ event, subject }) {
    await db
      .updateTable("notice_incidents")
      .set({ resolved_at: null })
      .where("event", "=", event)
      .where("subject", "=", subject)
      .execute();
  },

  async resolve({ event, subject }, at) {
    await db
      .updateTable("notice_incidents")
      .set({ resolved_at: at })
      .where("event", "=", event)
      .where("subject", "=", subject)
      .where("resolved_at", "is", null)
      .execute();
  },

  settle: settle(db),
  claim: claim(db, secrets),

  async finish(id, { state, fault, status, detail, dueAt }, at) {
    await db
      .updateTable("notices")
      .set({ state, fault: fault ?? "", status, detail, claimed_until: 0, due_at: dueAt ?? at })
      .where("id", "=", id)
      .where("state", "=", "waiting")
      .execute();
  },

  noteTest: noteTest(db),
  forget: forget(db),
});
