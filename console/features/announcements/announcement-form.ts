import {
  ANNOUNCEMENT_LEVELS,
  type Announcement,
  type AnnouncementLevel,
  MAX_ANNOUNCEMENT_BODY,
  MAX_ANNOUNCEMENT_TITLE,
} from "@tollgate/contract/api/announcements";
import { splitList } from "@tollgate/contract/values/split-list";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import * as z from "zod/mini";
import { formatTime, parseDate } from "../../lib/format";

/** An announcement as form fields: typed, not yet converted. */
export interface AnnouncementFields {
  title: string;
  body: string;
  level: AnnouncementLevel;
  groups: string[];
  isPublic: boolean;
  isPinned: boolean;
  /** "" starts a new announcement now. */
  startsAt: string;
  /** "" for no end. */
  endsAt: string;
}

export const NEW_ANNOUNCEMENT: AnnouncementFields = {
  title: "",
  body: "",
  level: "info",
  groups: [],
  isPublic: false,
  isPinned: false,
  startsAt: "",
  endsAt: "",
};

const secondsOf = (text: string): number | undefined => {
  const date = parseDate(text);
  return date && toUnixSeconds(date.getTime());
};

const isTime = (text: string): boolean => text.trim() === "" || secondsOf(text) !== undefined;

const endsLater = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }): boolean => {
  const end = secondsOf(endsAt);
  return end === undefined || end > (secondsOf(startsAt) ?? toUnixSeconds(Date.now()));
};

/** Mistakes are locale keys. */
export const announcementFieldsSchema = z
  .object({
    title: z.string().check(
      z.refine((title) => title.trim() !== "", "field.missing"),
      z.refine((title) => [...title.trim()].length <= MAX_ANNOUNCEMENT_TITLE, "announcement.titleLong"),
    ),
    body: z
      .string()
      .check(z.refine((body) => [...body].length <= MAX_ANNOUNCEMENT_BODY, "announcement.bodyLong")),
    level: z.enum(ANNOUNCEMENT_LEVELS),
    groups: z.array(z.string()),
    isPublic: z.boolean(),
    isPinned: z.boolean(),
    startsAt: z.string().check(z.refine(isTime, "announcement.timeInvalid")),
    endsAt: z.string().check(z.refine(isTime, "announcement.timeInvalid")),
  })
  .check(z.refine(endsLater, { path: ["endsAt"], error: "announcement.endBeforeStart" }));

export const toAnnouncementFields = (announcement: Announcement): AnnouncementFields => ({
  title: announcement.title,
  body: announcement.body,
  level: announcement.level,
  groups: splitList(announcement.groups),
  isPublic: announcement.isPublic,
  isPinned: announcement.isPinned,
  startsAt: formatTime(announcement.startsAt),
  endsAt: formatTime(announcement.endsAt),
});

export const toAnnouncementBody = (fields: AnnouncementFields) => ({
  title: fields.title.trim(),
  body: fields.body,
  level: fields.level,
  groups: fields.groups.join(","),
  is_public: fields.isPublic && fields.groups.length === 0,
  is_pinned: fields.isPinned,
  // If absent, a new one starts now and an edited one keeps its start.
  starts_at: secondsOf(fields.startsAt),
  ends_at: secondsOf(fields.endsAt) ?? 0,
});
