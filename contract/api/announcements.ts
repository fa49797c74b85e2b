import * as z from "zod/mini";
import { maybe, wholeNumber } from "../management/wire";
import { endpoint, PAGE_PARAMETER, SORT_PARAMETER } from "../resource/endpoint";
import { codecOf, flag, int, text } from "../resource/fields";
import type { ListFilter } from "../resource/list-filter";
import { listOf, resource, type ValueOf } from "../resource/resource";

/*
 * Announcements: dated news of the site in Markdown, for all users or some groups: /api/announcement/…. Not part of the one-api
 * contract, whose one `Notice` stays beside them; another server answers these calls with 404.
 */

/** Importance, in ascending order. */
export const ANNOUNCEMENT_LEVELS = ["info", "warning"] as const;
export type AnnouncementLevel = (typeof ANNOUNCEMENT_LEVELS)[number];

export const MAX_ANNOUNCEMENT_TITLE = 100;
export const MAX_ANNOUNCEMENT_BODY = 10_000;
/** Announcements stored in all, past ones included. */
export const MAX_ANNOUNCEMENTS = 1000;
/** Announcements shown on a home page. */
export const MAX_LIVE_ANNOUNCEMENTS = 10;

const level = {
  name: "level",
  strict: z.enum(ANNOUNCEMENT_LEVELS),
  loose: z.catch(z.enum(ANNOUNCEMENT_LEVELS), "info"),
} as const;

/** The fields that readers see. */
const shownFields = {
  id: int("id"),
  title: text("title"),
  /** Markdown; clients sanitise it. */
  body: text("body"),
  level,
  isPinned: flag("is_pinned"),
  /** Unix seconds. */
  startsAt: int("starts_at"),
  /** Unix seconds, excluded; 0 without an end. */
  endsAt: int("ends_at"),
};

const announcementFields = {
  ...shownFields,
  /** A comma list of groups; "" for all. */
  groups: text("groups"),
  /** Guests see it as well; only without groups. */
  isPublic: flag("is_public"),
  /** Name of the administrator who created it; "" for an imported one. */
  author: text("author"),
  createdTime: int("created_time"),
  updatedTime: int("updated_time"),
};

/** An announcement, as administrators see it. */
export const announcement = resource(announcementFields);
export type Announcement = ValueOf<typeof announcement>;

/** An announcement, as its readers see it: without its audience and its author. */
export const shownAnnouncement = resource(shownFields);
export type ShownAnnouncement = ValueOf<typeof shownAnnouncement>;

/** A new announcement, or the changed fields of one; absent and null fields keep their values. */
export const announcementBody = codecOf(announcementFields, {
  title: maybe(z.string()),
  body: maybe(z.string()),
  level: maybe(z.enum(ANNOUNCEMENT_LEVELS)),
  isPinned: maybe(z.boolean()),
  groups: maybe(z.string()),
  isPublic: maybe(z.boolean()),
  startsAt: maybe(wholeNumber),
  endsAt: maybe(wholeNumber),
});
export type AnnouncementBody = z.output<typeof announcementBody>;

export const ANNOUNCEMENT_SORTS = ["id", "title", "level", "starts_at", "ends_at", "updated_time"] as const;
export type AnnouncementSort = (typeof ANNOUNCEMENT_SORTS)[number];

export const ANNOUNCEMENT_FILTERS = { level: "text", groups: "entry" } as const;
export type AnnouncementFilter = ListFilter<keyof typeof ANNOUNCEMENT_FILTERS>;

export const listAnnouncements = endpoint({
  method: "GET",
  path: "/api/announcement/",
  guard: "admin",
  area: "announcements",
  summary: "A page of all announcements",
  query: {
    ...PAGE_PARAMETER,
    ...SORT_PARAMETER,
    level: "Only announcements of this level: `info` or `warning`.",
    groups: "Only announcements addressed to this group.",
  },
  sorts: ANNOUNCEMENT_SORTS,
  filters: ANNOUNCEMENT_FILTERS,
  data: listOf(announcement),
  reads: "announcements",
});

export const listLiveAnnouncements = endpoint({
  method: "GET",
  path: "/api/announcement/live",
  guard: "none",
  summary:
    "The current announcements for the caller's groups, pinned ones first, then the newest; guests get the public ones",
  data: listOf(shownAnnouncement),
  reads: "announcements",
  isRepeated: true,
});

export const listPastAnnouncements = endpoint({
  method: "GET",
  path: "/api/announcement/history",
  guard: "none",
  summary:
    "A page of all started announcements for the caller's groups, ended ones included, the newest first; guests get the public ones",
  query: PAGE_PARAMETER,
  data: listOf(shownAnnouncement),
  reads: "announcements",
});

export const getAnnouncement = endpoint({
  method: "GET",
  path: "/api/announcement/:id",
  guard: "admin",
  area: "announcements",
  summary: "One announcement",
  data: announcement,
  reads: "announcements",
});

export const createAnnouncement = endpoint({
  method: "POST",
  path: "/api/announcement/",
  guard: "admin",
  area: "announcements",
  summary: "Creates an announcement, which starts now or at `starts_at`",
  body: announcementBody,
  data: announcement,
  changes: ["announcements"],
});

export const changeAnnouncement = endpoint({
  method: "PUT",
  path: "/api/announcement/:id",
  guard: "admin",
  area: "announcements",
  summary: "Changes an announcement",
  body: announcementBody,
  data: announcement,
  changes: ["announcements"],
});

export const deleteAnnouncement = endpoint({
  method: "DELETE",
  path: "/api/announcement/:id",
  guard: "admin",
  area: "announcements",
  summary: "Deletes an announcement",
  changes: ["announcements"],
});
