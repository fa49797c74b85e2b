import type { NoticeEventName, NoticePhase } from "../notices/notice-events";
import type { NoticeTargetName } from "../notices/notice-targets";

/** Whose a target is: the site's, or a user's, by its id. */
export type NoticeOwner = "site" | number;

/** A target on the server, with its secrets. */
export interface NoticeTargetRecord {
  id: number;
  owner: NoticeOwner;
  kind: NoticeTargetName;
  /** The owner's name for it. */
  name: string;
  isEnabled: boolean;
  /** A tag of one of the server's languages. */
  language: string;
  events: NoticeEventName[];
  /** By the names of the target; never leaves the server as a whole. */
  fields: Readonly<Record<string, string>>;
  /** Unix seconds. */
  createdTime: number;
}

export type NewNoticeTarget = Omit<NoticeTargetRecord, "id" | "owner">;
export type NoticeTargetChange = Partial<Omit<NewNoticeTarget, "kind" | "createdTime">>;

/** Something happened that people may want to be told of. */
export interface RaisedNotice {
  event: NoticeEventName;
  /** Subject of the event; both together identify the incident. */
  subject: string;
  /** The user it is about, of events for users. */
  userId?: number | undefined;
  /** JSON of the texts' values. Holds no secret. */
  params: string;
  /** Unix seconds. */
  at: number;
  /** Whether a user without a target can be told by e-mail. */
  canMail: boolean;
}

/** Key of an ongoing incident. */
export interface IncidentKey {
  event: NoticeEventName;
  subject: string;
}

/** An incident that has not ended. */
export interface OpenIncident extends IncidentKey {
  /** A person said that it is over; it ends when it did not begin again meanwhile. */
  isResolved: boolean;
}

/** Why a notice did not arrive. */
export type NoticeFault =
  /** The service did not answer in time, or the address may not be connected to. */
  | "unreachable"
  /** An HTTP status that is no success. */
  | "status"
  /** The service itself refused it. */
  | "refused"
  /** The service itself asks to try again later. */
  | "later"
  /** The answer does not come from this service. */
  | "unreadable"
  | "mail-failed"
  | "no-address"
  /** The target was removed or switched off meanwhile. */
  | "way-gone"
  /** Too many waited already. */
  | "too-many"
  /** It waited for too long. */
  | "too-old";

/** How a notice stands. */
export type NoticeState = "waiting" | "sent" | "failed";

/** How a try to send a notice ended. */
export interface NoticeOutcome {
  state: NoticeState;
  fault?: NoticeFault | undefined;
  /** HTTP status; 0 for none. */
  status: number;
  /** The service's message. */
  detail: string;
  /** When it is tried again, unix seconds, of one that waits. */
  dueAt?: number | undefined;
}

/** A notice that is to be sent now. */
export interface ClaimedNotice {
  id: number;
  /** The same for all tries. */
  messageId: string;
  owner: NoticeOwner;
  event: NoticeEventName;
  phase: NoticePhase;
  params: string;
  /** Unix seconds at which it happened. */
  at: number;
  /** How often it was tried, this time included. */
  attempts: number;
  /** undefined where a user without a target is told by e-mail, "gone" where it was removed or switched off. */
  target: NoticeTargetRecord | "gone" | undefined;
}

/** One sent notice. Holds no secret. */
export interface SentNotice {
  id: number;
  /** 0 for the e-mail of who has set no target. */
  targetId: number;
  targetKind: NoticeTargetName;
  targetName: string;
  event: string;
  phase: NoticePhase;
  subject: string;
  state: NoticeState;
  fault: NoticeFault | "";
  status: number;
  detail: string;
  attempts: number;
  createdAt: number;
  /** When it was tried last; 0 for never. */
  triedAt: number;
}
