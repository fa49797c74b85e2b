import * as z from "zod/mini";
import { isNoticeEvent } from "../notices/notice-events";
import { isWayName, NOTICE_WAY_NAMES } from "../notices/notice-ways";
import { looseBoolean, looseList, looseNumber, looseString, maybe, wholeNumber } from "./wire";

/*
 * Ways over which people are told what happens, and what they were told: /api/notice/… for root, /api/user/notice/… for each user's
 * own. Not part of the one-api contract; another server answers these calls with 404.
 */

export const NOTICE_NAME_MAX = 30;
export const NOTICE_FIELD_MAX = 2000;
/** How many ways the site may have, and a user. */
export const MOST_SITE_WAYS = 50;
export const MOST_USER_WAYS = 10;

/** A way as it is told: without its secrets. */
export const noticeWaySchema = z.object({
  id: z.int(),
  kind: z.enum(NOTICE_WAY_NAMES),
  name: z.string(),
  is_enabled: z.boolean(),
  /** A tag of one of the server's languages. */
  language: z.string(),
  events: z.array(z.string()),
  /** Without those that are secret. */
  fields: z.record(z.string(), z.string()),
  /** The names of the secret fields that have a value. */
  secrets: z.array(z.string()),
});
export type NoticeWayWire = z.infer<typeof noticeWaySchema>;

/** What is sent of a way. Of one that there is, what is left out stays, and so does a secret that is "". */
export const noticeWayBodySchema = z.object({
  kind: z.enum(NOTICE_WAY_NAMES),
  name: maybe(z.string().check(z.maxLength(4 * NOTICE_NAME_MAX))),
  is_enabled: maybe(z.boolean()),
  language: maybe(z.string().check(z.maxLength(20))),
  events: maybe(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(50))),
  fields: maybe(z.record(z.string().check(z.maxLength(64)), z.string().check(z.maxLength(NOTICE_FIELD_MAX)))),
});
export type NoticeWayBody = z.output<typeof noticeWayBodySchema>;

/** Below which balance a user is told: the user's own threshold, null for none, and what holds then. */
export const noticeThresholdSchema = z.object({ own: z.nullable(z.int()), site: z.int() });
export type NoticeThresholdWire = z.infer<typeof noticeThresholdSchema>;

/** null for the site's threshold, 0 to be told only when nothing is left. */
export const noticeThresholdBodySchema = z.object({ own: z.nullable(wholeNumber) });

/** What became of a backup, as whoever makes them says. */
export const backupNoticeBodySchema = z.object({
  /** The file. */
  place: z.string().check(z.maxLength(4096)),
  /** Why it could not be made; left out where it was. */
  reason: maybe(z.string().check(z.maxLength(10_000))),
});

/** How a try to tell somebody something ended. */
export const noticeOutcomeSchema = z.object({
  /** "waiting", "sent" or "failed". */
  state: z.string(),
  /** Why it did not arrive; "" where it did. */
  fault: z.string(),
  /** HTTP status; 0 for none. */
  status: z.int(),
  /** What the service said of itself. */
  detail: z.string(),
});
export type NoticeOutcomeWire = z.infer<typeof noticeOutcomeSchema>;

/** A line of what was sent. */
export const sentNoticeSchema = z.extend(noticeOutcomeSchema, {
  id: z.int(),
  /** 0 for the e-mail of who has set no way. */
  way_id: z.int(),
  way_kind: z.string(),
  way_name: z.string(),
  event: z.string(),
  /** "opened", "recovered" or "test". */
  phase: z.string(),
  /** What it happened to. */
  subject: z.string(),
  attempts: z.int(),
  created_at: z.int(),
  /** 0 for never. */
  tried_at: z.int(),
});
export type SentNoticeWire = z.infer<typeof sentNoticeSchema>;

const wayReader = z.object({
  id: looseNumber,
  kind: z.string(),
  name: looseString,
  is_enabled: looseBoolean,
  language: looseString,
  events: z.catch(z.array(z.string()), []),
  fields: z.catch(z.record(z.string(), z.string()), {}),
  secrets: z.catch(z.array(z.string()), []),
});

/** Reads ways from any version's answer; those of kinds that this one does not know are left out. */
export const readNoticeWays = looseList((item): NoticeWayWire | undefined => {
  const parsed = wayReader.safeParse(item);
  if (!parsed.success || !isWayName(parsed.data.kind)) return undefined;
  return { ...parsed.data, kind: parsed.data.kind, events: parsed.data.events.filter(isNoticeEvent) };
});

const outcomeReader = z.object({
  state: looseString,
  fault: looseString,
  status: looseNumber,
  detail: looseString,
});

export const readNoticeOutcome = (value: unknown): NoticeOutcomeWire | undefined =>
  outcomeReader.safeParse(value).data;

const sentReader = z.extend(outcomeReader, {
  id: looseNumber,
  way_id: looseNumber,
  way_kind: looseString,
  way_name: looseString,
  event: looseString,
  phase: looseString,
  subject: looseString,
  attempts: looseNumber,
  created_at: looseNumber,
  tried_at: looseNumber,
});

export const readSentNotices = looseList(
  (item): SentNoticeWire | undefined => sentReader.safeParse(item).data,
);

export const readNoticeThreshold = (value: unknown): NoticeThresholdWire | undefined =>
  noticeThresholdSchema.safeParse(value).data;
