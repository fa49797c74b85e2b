import {
  ANNOUNCEMENT_FILTERS,
  ANNOUNCEMENT_LEVELS,
  ANNOUNCEMENT_SORTS,
  type Announcement,
} from "@tollgate/contract/api/announcements";
import type { AnnouncementReaders, NewAnnouncement } from "@tollgate/contract/records/announcement-record";
import type { Kysely } from "kysely";
import { filterRows, hasEntry } from "../../sql/filter-rows";
import { columnsOf, fieldsOf, flagColumn } from "../../sql/row-names";
import { nameColumn, readPage, storedColumns } from "../../sql/sort-rows";
import type { AnnouncementChanges, AnnouncementQueries } from "../site-ports";
import type { Row, Tables } from "./tables";

const toAnnouncement = (row: Row<"announcements">): Announcement => ({
  ...fieldsOf(row),
  level: ANNOUNCEMENT_LEVELS.find((level) => level === row.level) ?? "info",
  isPinned: row.is_pinned === 1,
  isPublic: row.is_public === 1,
});

export const announcementColumns = (announcement: NewAnnouncement) => ({
  ...columnsOf(announcement),
  is_pinned: Number(announcement.isPinned),
  is_public: Number(announcement.isPublic),
});

/** Announcements for these readers that have started. */
const startedFor = (db: Kysely<Tables>, readers: AnnouncementReaders, now: number) =>
  db
    .selectFrom("announcements")
    .selectAll()
    .where("starts_at", "<=", now)
    .where((eb) =>
      readers === undefined
        ? eb.and([eb("groups", "=", ""), eb("is_public", "=", 1)])
        : eb.or([eb("groups", "=", ""), ...readers.map((group) => hasEntry("groups", group))]),
    );

export const announcementReads = (db: Kysely<Tables>): AnnouncementQueries => ({
  async page(offset, limit, sort, filter = {}) {
    const all = filterRows(db.selectFrom("announcements").selectAll(), filter, ANNOUNCEMENT_FILTERS);
    const rows = await readPage(
      all,
      sort,
      { ...storedColumns(ANNOUNCEMENT_SORTS), title: nameColumn("title") },
      { offset, limit },
    );
    return rows.map(toAnnouncement);
  },

  async find(id) {
    const row = await db.selectFrom("announcements").selectAll().where("id", "=", id).executeTakeFirst();
    return row && toAnnouncement(row);
  },

  async live(readers, now, limit) {
    const rows = await startedFor(db, readers, now)
      .where((eb) => eb.or([eb("ends_at", "=", 0), eb("ends_at", ">", now)]))
      .orderBy("is_pinned", "desc")
      .orderBy("starts_at", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
    return rows.map(toAnnouncement);
  },

  async started(readers, now, offset, limit) {
    const rows = await startedFor(db, readers, now)
      .orderBy("starts_at", "desc")
      .orderBy("id", "desc")
      .offset(offset)
      .limit(limit)
      .execute();
    return rows.map(toAnnouncement);
  },
});

export const announcementWrites = (db: Kysely<Tables>): AnnouncementChanges => ({
  create: (announcement, most) =>
    db.transaction().execute(async (transaction) => {
      const { count } = await transaction
        .selectFrom("announcements")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      if (count >= most) return undefined;
      const row = await transaction
        .insertInto("announcements")
        .values(announcementColumns(announcement))
        .returningAll()
        .executeTakeFirstOrThrow();
      return toAnnouncement(row);
    }),

  async change(id, change) {
    const { isPinned, isPublic } = change;
    const row = await db
      .updateTable("announcements")
      .set({ ...columnsOf(change), is_pinned: flagColumn(isPinned), is_public: flagColumn(isPublic) })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    return row && toAnnouncement(row);
  },

  async remove(id) {
    const { numDeletedRows } = await db.deleteFrom("announcements").where("id", "=", id).executeTakeFirst();
    return numDeletedRows > 0n;
  },
});
