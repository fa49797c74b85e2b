import {
  isNoticeEvent,
  NOTICE_EVENTS,
  type NoticePhase,
  noticeEvent,
} from "@tollgate/contract/notices/notice-events";
import { isTargetName } from "@tollgate/contract/notices/notice-targets";
import type {
  NoticeFault,
  NoticeOwner,
  NoticeState,
  NoticeTargetRecord,
} from "@tollgate/contract/records/notice-record";
import type { ExpressionBuilder, Kysely } from "kysely";
import { sql } from "kysely";
import type { Secrets } from "../../secrets";
import type { SqlDialect } from "../../sql/dialect";
import { fieldsOf } from "../../sql/row-names";
import type { NoticeQueries } from "../site-ports";
import type { Row, Tables } from "./tables";

export const LASTING = Object.keys(NOTICE_EVENTS).filter(
  (event) => isNoticeEvent(event) && noticeEvent(event).lasts,
);

export const ownerOf = (userId: number | null): NoticeOwner => userId ?? "site";
export const columnOf = (owner: NoticeOwner): number | null => (owner === "site" ? null : owner);

/** Rows of an owner: in SQL, nothing equals NULL. */
export const ownedBy = (owner: NoticeOwner) => (eb: ExpressionBuilder<Tables, "notice_ways" | "notices">) =>
  owner === "site" ? eb("user_id", "is", null) : eb("user_id", "=", owner);

export const toEvents = (column: string): NoticeTargetRecord["events"] =>
  column.split(",").filter(isNoticeEvent);

/** @returns undefined for a target of a kind that another version knows. */
export const toTarget = (row: Row<"notice_ways">, secrets: Secrets): NoticeTargetRecord | undefined => {
  if (!isTargetName(row.kind)) return undefined;
  const { user_id, fields_sealed, ...shown } = row;
  return {
    ...fieldsOf(shown),
    owner: ownerOf(user_id),
    kind: row.kind,
    isEnabled: row.is_enabled === 1,
    events: toEvents(row.events),
    fields: JSON.parse(secrets.open(fields_sealed)),
  };
};

export const readTargets = async (
  db: Kysely<Tables>,
  secrets: Secrets,
  owner: NoticeOwner,
): Promise<NoticeTargetRecord[]> => {
  const rows = await db.selectFrom("notice_ways").selectAll().where(ownedBy(owner)).orderBy("id").execute();
  return rows.flatMap((row) => toTarget(row, secrets) ?? []);
};

export const noticeReads = (db: Kysely<Tables>, secrets: Secrets, dialect: SqlDialect): NoticeQueries => ({
  async remindBelow(userId) {
    const row = await db
      .selectFrom("notice_thresholds")
      .select("quota")
      .where("user_id", "=", userId)
      .executeTakeFirst();
    return row?.quota;
  },

  async belowOwn(limit) {
    const balance = dialect.balance?.("users") ?? sql<number>`users.quota`;
    const rows = await db
      .selectFrom("notice_thresholds")
      .innerJoin("users", "users.id", "notice_thresholds.user_id")
      .select(["users.id as userId", balance.as("quota")])
      // Leases only add to the balance.
      .whereRef("users.quota", "<", "notice_thresholds.quota")
      .where(sql<boolean>`${balance} < notice_thresholds.quota`)
      .where(sql<boolean>`NOT EXISTS (
        SELECT 1 FROM notice_incidents WHERE event = 'balance-low' AND subject = CAST(users.id AS TEXT)
          AND resolved_at IS NULL)`)
      .orderBy("users.id")
      .limit(limit)
      .execute();
    return rows;
  },

  targets: (owner) => readTargets(db, secrets, owner),

  async sent(owner, offset, limit) {
    const rows = await db
      .selectFrom("notices")
      .selectAll()
      .where(ownedBy(owner))
      .orderBy("id", "desc")
      .offset(offset)
      .limit(limit)
      .execute();
    return rows.flatMap((row) =>
      isTargetName(row.way_kind)
        ? {
            id: row.id,
            targetId: row.way_id,
            targetKind: row.way_kind,
            targetName: row.way_name,
            event: row.event,
            phase: row.phase as NoticePhase,
            subject: row.subject,
            state: row.state as NoticeState,
            fault: row.fault as NoticeFault | "",
            status: row.status,
            detail: row.detail,
            attempts: row.attempts,
            createdAt: row.created_at,
            triedAt: row.tried_at,
          }
        : [],
    );
  },

  async open() {
    const rows = await db
      .selectFrom("notice_incidents")
      .select(["event", "subject", "resolved_at"])
      .where("event", "in", LASTING)
      .execute();
    return rows.flatMap(({ event, subject, resolved_at: resolvedAt }) =>
      isNoticeEvent(event) ? { event, subject, isResolved: resolvedAt !== null } : [],
    );
  },
  async paramsOf(event) {
    const rows = await db
      .selectFrom("notice_incidents")
      .select("params")
      .where("event", "=", event)
      .where("resolved_at", "is", null)
      .orderBy("subject")
      .execute();
    return rows.map(({ params }) => params);
  },
});
