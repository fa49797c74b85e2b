import type {
  Announcement,
  AnnouncementFilter,
  AnnouncementSort,
} from "@tollgate/contract/api/announcements";
import type { AuditSort } from "@tollgate/contract/api/audit";
import type { Channel, ChannelFilter, ChannelSort } from "@tollgate/contract/api/channels";
import type { Option } from "@tollgate/contract/api/options";
import type { PriceDraftState } from "@tollgate/contract/management/price-draft";
import type { NoticeEventName } from "@tollgate/contract/notices/notice-events";
import type {
  AnnouncementChange,
  AnnouncementReaders,
  NewAnnouncement,
} from "@tollgate/contract/records/announcement-record";
import type { AuditAction, AuditRecord, AuditSubject } from "@tollgate/contract/records/audit-record";
import type { BudgetWindow, HourBudget } from "@tollgate/contract/records/budget-window";
import type {
  ChannelChange,
  ChannelRecord,
  NewChannel,
  WindowedChannel,
} from "@tollgate/contract/records/channel-record";
import type { KeyNetwork, NewNetworkUse } from "@tollgate/contract/records/key-network";
import type {
  ClaimedNotice,
  IncidentKey,
  NewNoticeTarget,
  NoticeOutcome,
  NoticeOwner,
  NoticeTargetChange,
  NoticeTargetRecord,
  OpenIncident,
  RaisedNotice,
  SentNotice,
} from "@tollgate/contract/records/notice-record";
import type {
  NewPriceDraftRecord,
  PriceDraftRecord,
  PublishedOption,
  RehearsalRecord,
} from "@tollgate/contract/records/price-draft-record";
import type { ListSort } from "@tollgate/contract/resource/list-sort";

/* What the accounts store does for the site: channels, options, mail codes, the audit, notices, announcements, price drafts and windows of budgets. Offsets and limits count rows; times are unix seconds. */

/** The order of channels. Balances that were typed in are counted down in quota: `quotaPerUnit` of it are a US dollar. */
export interface ChannelListSort extends ListSort<ChannelSort> {
  readonly quotaPerUnit: number;
}

export interface ChannelQueries {
  /** Channels with their keys, with ids above `id` in their order, for the directory that is kept in memory. */
  after(id: number, limit: number): Promise<ChannelRecord[]>;
  /** Channels with their keys of which the id is one of `ids`, in no order. */
  withIds(ids: readonly number[]): Promise<ChannelRecord[]>;
  /**
   * Returns one page, the newest first by default.
   * @param keyword finds channels of which the id or the tag is this, the name begins with it, or one of the keys is
   * exactly `key`, by default `keyword`.
   */
  page(
    offset: number,
    limit: number,
    sort?: ChannelListSort,
    filter?: ChannelFilter,
    keyword?: string,
    key?: string,
  ): Promise<Channel[]>;
  /** Channels with ids below `id`, the newest first; `keyword` and `key` as of `page`. */
  before(
    id: number,
    limit: number,
    keyword?: string,
    key?: string,
    filter?: ChannelFilter,
  ): Promise<Channel[]>;
  find(id: number): Promise<Channel | undefined>;
  /** The channels with calendars that have windows, or had. */
  windowed(): Promise<WindowedChannel[]>;
  /** Those whose balance was typed in. */
  typed(): Promise<Channel[]>;
}

export interface ChannelChanges {
  /** Creates all of them or none. */
  create(channels: NewChannel[]): Promise<ChannelRecord[]>;
  /** @returns undefined when there is no such channel. */
  change(id: number, change: ChannelChange): Promise<ChannelRecord | undefined>;
  saveTest(id: number, testTime: number, responseTimeMs: number): Promise<void>;
  saveBalance(id: number, balance: number, updatedTime: number): Promise<void>;
  /**
   * Counts a channel's balance down from here on; undefined ends that.
   * @param balance USD. @returns false where there is no such channel.
   */
  saveTypedBalance(id: number, balance: number | undefined, updatedTime: number): Promise<boolean>;
  remove(id: number): Promise<void>;
  /** Deletes the channels that are switched off, by hand or automatically. @returns their ids. */
  removeDisabled(): Promise<number[]>;
}

export interface OptionQueries {
  /** Every option that was ever saved, secrets in clear: for the server only. */
  all(): Promise<Option[]>;
}

/** How changes of options are counted, those of several processes together. */
export interface OptionCount {
  /** The option that has the number of the last one; 1 before it was ever saved. */
  key: string;
  /** Default of the changed option, for one that was never saved. */
  before: string;
}

/** Value that an option must still have when it is saved, so that no unseen change is overwritten. */
export interface ExpectedOption {
  value: string;
  /** Value of an option that was never saved. */
  fallback: string;
}

export interface OptionChanges {
  /**
   * @param isSecret stores the value sealed.
   * @param counted where each change of the value is to have a number of its own.
   * @param expected nothing is written where the option is another by now, whichever process saved it; not for secrets.
   * @returns every option that was ever saved, as they stand after it; secrets in clear: for the server only.
   */
  put(
    key: string,
    value: string,
    isSecret: boolean,
    counted?: OptionCount,
    expected?: ExpectedOption,
  ): Promise<Option[]>;
}

/** "sign-in": the state of a sign-in with a provider, so that it works once. */
export type VerificationPurpose = "email" | "password-reset" | "sign-in";

export interface VerificationChanges {
  /** Remembers a code that was sent; an earlier one for the same address is void. */
  put(purpose: VerificationPurpose, subject: string, code: string, expiresTime: number): Promise<void>;
  /** Checks a code and uses it up: a right one works once, a wrong one of an address counts as an attempt. */
  use(purpose: VerificationPurpose, subject: string, code: string, now: number): Promise<boolean>;
  /** Forgets codes that are of no use any more. */
  removeExpired(now: number): Promise<void>;
}

/** Which lines of the audit are asked for; all where nothing is said. */
export interface AuditFilter {
  /** One action, or the subject of several. */
  action?: AuditAction | AuditSubject | undefined;
  target?: string | undefined;
  /** Names at the time of the line. */
  username?: string | undefined;
  beneficiary?: string | undefined;
  beneficiaryId?: number | undefined;
  /** Unix seconds, inclusive. */
  from?: number | undefined;
  /** Unix seconds, inclusive. */
  to?: number | undefined;
}

export interface AuditQueries {
  /** One page, the newest first by default. */
  page(
    filter: AuditFilter,
    offset: number,
    limit: number,
    sort?: ListSort<AuditSort>,
  ): Promise<StoredAuditRecord[]>;
  /** Lines that match a filter below an id, the newest first. */
  before(filter: AuditFilter, id: number, limit: number): Promise<StoredAuditRecord[]>;
}

/** An action may be one that only another version knows. */
export type StoredAuditRecord = Omit<AuditRecord, "action"> & { id: number; action: string };

export interface AuditChanges {
  /** Adds a line. Of the changes of one user's keys, about the newest MAX_KEY_CHANGES stay. */
  add(record: AuditRecord): Promise<void>;
  /** Removes lines from before a moment, at most `limit`, the oldest first. @returns how many. */
  removeBefore(before: number, limit: number): Promise<number>;
}

export interface NoticeQueries {
  /** All targets of an owner with their secrets, the oldest first: for the server only. */
  targets(owner: NoticeOwner): Promise<NoticeTargetRecord[]>;
  /** Returns one page of the notices sent to an owner, the newest first. */
  sent(owner: NoticeOwner, offset: number, limit: number): Promise<SentNotice[]>;
  /** Incidents that have not ended. */
  open(): Promise<OpenIncident[]>;
  /** Parameters of the open incidents of an event that are not resolved, as JSON. */
  paramsOf(event: NoticeEventName): Promise<string[]>;
  /** Below which balance a user wants to be told; undefined for the site's threshold. */
  remindBelow(userId: number): Promise<number | undefined>;
  /** Users whose balance is below their own threshold, and who are not told yet; at most `limit`. */
  belowOwn(limit: number): Promise<{ userId: number; quota: number }[]>;
}

/** Notices of events: each change is one transaction, so that an event is sent once, however many nodes raise it. */
export interface NoticeChanges {
  /** @param quota undefined for the site's threshold. */
  setRemindBelow(userId: number, quota: number | undefined): Promise<void>;
  /** @param most how many targets an owner may have. @returns undefined when there are as many. */
  addTarget(
    owner: NoticeOwner,
    target: NewNoticeTarget,
    most: number,
  ): Promise<NoticeTargetRecord | undefined>;
  /** @returns undefined when the owner has no such target. */
  changeTarget(
    owner: NoticeOwner,
    id: number,
    change: NoticeTargetChange,
  ): Promise<NoticeTargetRecord | undefined>;
  /** @returns false when the owner has no such target. */
  removeTarget(owner: NoticeOwner, id: number): Promise<boolean>;
  /**
   * Something happened. Told over the targets that take the event, unless it is told already: the incident is open, or was said to be
   * over only now, and so goes on.
   * @returns how many notices wait for it.
   */
  raise(raised: RaisedNotice): Promise<number>;
  /** An incident seems to be over. It ends when it is not raised again meanwhile (`settle`). */
  resolve(incident: IncidentKey, at: number): Promise<void>;
  /** It is not over, as was said. */
  reopen(incident: IncidentKey): Promise<void>;
  /**
   * Ends incidents that were said to be over before a time, and were not raised again.
   * @param canMail as of a raised one. @returns how many notices wait for it.
   */
  settle(resolvedBefore: number, at: number, canMail: boolean): Promise<number>;
  /**
   * Takes notices that are due, at most one for each receiver, and none for one that was told more than `perMinute` times in the
   * last minute. No other node gets them until `until`.
   */
  claim(now: number, until: number, perMinute: number): Promise<ClaimedNotice[]>;
  /** Writes down how a try ended. */
  finish(id: number, outcome: NoticeOutcome, at: number): Promise<void>;
  /** Writes down that a target was tried. */
  noteTest(target: NoticeTargetRecord, messageId: string, outcome: NoticeOutcome, at: number): Promise<void>;
  /** Deletes notices sent before a time, all but the newest `most`, and incidents that are no longer needed. */
  forget(before: number, most: number): Promise<void>;
}

export interface PriceDraftQueries {
  /** The newest first. */
  all(): Promise<PriceDraftRecord[]>;
  find(id: number): Promise<PriceDraftRecord | undefined>;
  /** Scheduled ones whose time has come, in the order of their times. */
  due(now: number): Promise<PriceDraftRecord[]>;
  /** The last rehearsal of a draft; undefined before the first one. */
  rehearsal(id: number): Promise<RehearsalRecord | undefined>;
}

/** A caller that changes a draft says which revision it has seen: @throws StorageConflict "not-found" or "price-draft-changed". */
export interface PriceDraftChanges {
  create(draft: NewPriceDraftRecord): Promise<PriceDraftRecord>;
  /** Changes a draft that is neither scheduled nor published. */
  change(
    id: number,
    revision: number,
    change: Pick<PriceDraftRecord, "name" | "changes" | "base">,
    at: number,
  ): Promise<PriceDraftRecord>;
  /** Brings a draft from one of some states to another one. */
  move(
    id: number,
    revision: number,
    from: readonly PriceDraftState[],
    to: Pick<PriceDraftRecord, "state" | "holdsFrom" | "fault">,
    at: number,
  ): Promise<PriceDraftRecord>;
  /**
   * Publishes a draft: applies all its changes of options in one transaction, as one change of the prices, exactly
   * once.
   * @param counter the option that counts changes of prices.
   * @returns every option that was ever saved, as it is afterwards; secrets in clear: for the server only.
   * @throws StorageConflict also "prices-changed" when an option does not have its expected value.
   */
  publish(
    id: number,
    revision: number,
    options: readonly PublishedOption[],
    counter: string,
    at: number,
  ): Promise<Option[]>;
  /** Deletes one that is neither open nor scheduled. @returns false where there is no such draft. */
  remove(id: number): Promise<boolean>;
  /** @param silentSince a running rehearsal that was silent since before has ended with its process. @returns false while one runs. */
  beginRehearsal(id: number, text: string, now: number, silentSince: number): Promise<boolean>;
  /** Writes down how far a running one is, or how it ended. @returns false where it was cancelled. */
  noteRehearsal(id: number, state: string, text: string, now: number): Promise<boolean>;
  /** @returns false where none runs. */
  cancelRehearsal(id: number): Promise<boolean>;
}

export interface AnnouncementQueries {
  /** Returns one page, the newest first by default. */
  page(
    offset: number,
    limit: number,
    sort?: ListSort<AnnouncementSort>,
    filter?: AnnouncementFilter,
  ): Promise<Announcement[]>;
  find(id: number): Promise<Announcement | undefined>;
  /** Announcements for these readers that have started and not ended: pinned ones first, then the newest. */
  live(readers: AnnouncementReaders, now: number, limit: number): Promise<Announcement[]>;
  /** One page of the announcements for these readers that have started, the newest first. */
  started(readers: AnnouncementReaders, now: number, offset: number, limit: number): Promise<Announcement[]>;
}

export interface AnnouncementChanges {
  /** @param most how many there may be. @returns undefined when there are as many. */
  create(announcement: NewAnnouncement, most: number): Promise<Announcement | undefined>;
  /** @returns undefined when there is no such announcement. */
  change(id: number, change: AnnouncementChange): Promise<Announcement | undefined>;
  /** @returns false when there is no such announcement. */
  remove(id: number): Promise<boolean>;
}

export interface BudgetWindowQueries {
  /** The windows that have not ended. */
  open(now: number): Promise<BudgetWindow[]>;
  /** The last window of each of these budgets that has one. */
  find(budgets: readonly HourBudget[]): Promise<BudgetWindow[]>;
}

export interface BudgetWindowChanges {
  /**
   * Opens a window, unless the budget's last one has not ended when it starts.
   * @returns the window that is open then: that of the first caller.
   */
  open(window: BudgetWindow): Promise<BudgetWindow>;
  /** Removes windows that ended before this moment. */
  removeEnded(before: number): Promise<void>;
}

export interface KeyNetworkQueries {
  /**
   * Returns the keys that were used in an hour from networks that are new to them.
   * @param hour begin of the hour. @param knownSince only keys with a network since this moment or longer.
   * @param leastRequests from new networks, in the hour.
   */
  newUse(hour: number, knownSince: number, leastRequests: number): Promise<NewNetworkUse[]>;
}

export interface KeyNetworkChanges {
  /** Adds requests of keys from networks. @param hour begin of the hour. */
  note(used: readonly KeyNetwork[], hour: number): Promise<void>;
  /** Removes networks that were last used before this moment. */
  removeUnused(before: number): Promise<void>;
}
