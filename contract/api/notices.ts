import * as z from "zod/mini";
import { maybe, wholeNumber } from "../management/wire";
import { isNoticeEvent } from "../notices/notice-events";
import { NOTICE_TARGET_NAMES } from "../notices/notice-targets";
import { endpoint, PAGE_PARAMETER } from "../resource/endpoint";
import { listOf, optional, plain } from "../resource/resource";
import { tolerant } from "../resource/tolerant";

/*
 * Notification targets, and notices sent: /api/notice/… for root, /api/user/notice/… for each user's own. Not part of
 * the one-api contract; another server answers these calls with 404.
 */

export const MAX_NOTICE_NAME = 30;
export const MAX_NOTICE_FIELD = 2000;
/** How many targets the site may have, and a user. */
export const MAX_SITE_TARGETS = 50;
export const MAX_USER_TARGETS = 10;

/** A target as it is told: without its secrets. */
const noticeTargetSchema = z.object({
  id: z.int(),
  kind: z.enum(NOTICE_TARGET_NAMES),
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
export type NoticeTargetWire = z.infer<typeof noticeTargetSchema>;

/** Body of a target. In a change, missing fields stay as they are, and so does a secret that is "". */
export const noticeTargetBodySchema = z.object({
  kind: z.enum(NOTICE_TARGET_NAMES),
  name: maybe(z.string().check(z.maxLength(4 * MAX_NOTICE_NAME))),
  is_enabled: maybe(z.boolean()),
  language: maybe(z.string().check(z.maxLength(20))),
  events: maybe(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(50))),
  fields: maybe(z.record(z.string().check(z.maxLength(64)), z.string().check(z.maxLength(MAX_NOTICE_FIELD)))),
});
export type NoticeTargetBody = z.output<typeof noticeTargetBodySchema>;

/**
 * Balance below which a user is notified: the user's own threshold, null for none, and the site's, which applies then.
 */
const noticeThresholdSchema = z.object({ own: z.nullable(z.int()), site: z.int() });
export type NoticeThresholdWire = z.infer<typeof noticeThresholdSchema>;

/** null for the site's threshold, 0 to be told only when nothing is left. */
const noticeThresholdBodySchema = z.object({ own: z.nullable(wholeNumber) });

/** Outcome of a backup, as the program that makes backups reports it. */
const backupNoticeBodySchema = z.object({
  /** The file. */
  place: z.string().check(z.maxLength(4096)),
  /** Why it could not be made; left out where it was. */
  reason: maybe(z.string().check(z.maxLength(10_000))),
});

/** How a try to tell a person something ended. */
const noticeOutcomeSchema = z.object({
  /** "waiting", "sent" or "failed". */
  state: z.string(),
  /** Why it did not arrive; "" where it did. */
  fault: z.string(),
  /** HTTP status; 0 for none. */
  status: z.int(),
  /** The service's answer. */
  detail: z.string(),
});
export type NoticeOutcomeWire = z.infer<typeof noticeOutcomeSchema>;

const sentNoticeSchema = z.extend(noticeOutcomeSchema, {
  id: z.int(),
  /** 0 for the e-mail of who has set no target. */
  way_id: z.int(),
  way_kind: z.string(),
  way_name: z.string(),
  event: z.string(),
  /** "opened", "recovered" or "test". */
  phase: z.string(),
  /** Subject of the event. */
  subject: z.string(),
  attempts: z.int(),
  created_at: z.int(),
  /** 0 for never. */
  tried_at: z.int(),
});
export type SentNoticeWire = z.infer<typeof sentNoticeSchema>;

const wholeTarget = tolerant(noticeTargetSchema);

/** Targets of kinds that this version does not know are left out, and events. */
const noticeTarget = plain(noticeTargetSchema, (value) => {
  const target = wholeTarget.read(value);
  return target && { ...target, events: target.events.filter(isNoticeEvent) };
});
const noticeOutcome = tolerant(noticeOutcomeSchema);
const sentNotice = tolerant(sentNoticeSchema);

/** The calls about targets and notices of one audience. */
const noticeEndpoints = <const Base extends string, const G extends "user" | "root">(
  base: Base,
  guard: G,
  whose: string,
) => ({
  listTargets: endpoint({
    method: "GET",
    path: `${base}/way`,
    guard,
    summary: `The targets of ${whose} notices, without secrets`,
    data: listOf(noticeTarget),
    reads: "notice-targets",
  }),
  createTarget: endpoint({
    method: "POST",
    path: `${base}/way`,
    guard,
    summary: `Adds one of ${whose} targets`,
    body: noticeTargetBodySchema,
    data: noticeTarget,
    changes: ["notice-targets"],
  }),
  changeTarget: endpoint({
    method: "PUT",
    path: `${base}/way/:id`,
    guard,
    summary: `Changes one of ${whose} targets; a secret that is "" stays unchanged`,
    body: noticeTargetBodySchema,
    data: noticeTarget,
    changes: ["notice-targets"],
  }),
  deleteTarget: endpoint({
    method: "DELETE",
    path: `${base}/way/:id`,
    guard,
    summary: `Removes one of ${whose} targets; notices that wait for it are not sent`,
    changes: ["notice-targets"],
  }),
  testTarget: endpoint({
    method: "POST",
    path: `${base}/way/:id/test`,
    guard,
    summary: `Sends a test message to one of ${whose} targets; returns the outcome`,
    data: noticeOutcome,
    changes: ["sent-notices"],
  }),
  listSent: endpoint({
    method: "GET",
    path: `${base}/log`,
    guard,
    summary: `A page of ${whose} sent and waiting notices with their outcomes, the newest first`,
    query: PAGE_PARAMETER,
    data: listOf(sentNotice),
    reads: "sent-notices",
  }),
});

export const siteNotices = /* @__PURE__ */ noticeEndpoints("/api/notice", "root", "the site's");
export const ownNotices = /* @__PURE__ */ noticeEndpoints("/api/user/notice", "user", "one's own");

export const reportBackup = endpoint({
  method: "POST",
  path: "/api/notice/backup",
  guard: "root",
  summary:
    "Reports the outcome of a backup, for programs that make backups; root is notified of a failure, and of the first success after it",
  body: backupNoticeBodySchema,
});

const noticeThreshold = plain(noticeThresholdSchema);

export const getNoticeThreshold = endpoint({
  method: "GET",
  path: "/api/user/notice/threshold",
  guard: "user",
  summary: "The balance below which one is notified, and the site's default",
  data: optional(noticeThreshold),
  reads: "notice-threshold",
});

export const setNoticeThreshold = endpoint({
  method: "PUT",
  path: "/api/user/notice/threshold",
  guard: "user",
  summary: "Sets the balance below which one is notified; null for the site's default",
  body: noticeThresholdBodySchema,
  data: optional(noticeThreshold),
});
