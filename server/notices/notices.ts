import type { NoticeEventName } from "@tollgate/contract/notices/notice-events";
import type { RaisedNotice } from "@tollgate/contract/records/notice-record";
import type { IncidentReason } from "@tollgate/relay/ports/directory";
import type { NoticeChanges, NoticeQueries } from "@tollgate/storage/accounts/site-ports";
import type { Logger } from "pino";
import { type AccountChange, formatAccountChange } from "../locales/format-account-change";
import { formatMail } from "../locales/format-mail";
import type { NoticeParams } from "../locales/format-notice";
import { PEOPLES_LANGUAGE, PROGRAMS_LANGUAGE } from "../locales/languages";
import type { Mailer } from "../management-api/mailer";
import type { Options } from "../state/options";

/** An event that people may want to be notified of (docs/guides/notices.md). */
export interface Notice {
  event: NoticeEventName;
  /** Subject of the event, such as a channel's id: event and subject are the incident, which is reported once. */
  subject: string | number;
  /** The user it is about, of events for users. */
  userId?: number;
  /** Values for its texts (`server/locales/<language>/notices.json`). No secrets: they are stored unencrypted. */
  params: NoticeParams;
}

/** Notifies people of events. No caller waits for it: a notice that cannot be stored now is stored later, or logged. */
export interface Notices {
  /** An event happened, or an incident began. It is reported once, even if raised repeatedly and on several nodes. */
  raise(notice: Notice): void;
  /** An incident is over. Its end is reported unless it begins again meanwhile. */
  resolve(event: NoticeEventName, subject: string | number): void;
  /** A user's balance has fallen below the threshold, or is used up. @param quota the remaining balance. */
  quotaLow(userId: number, quota: number): void;
  /**
   * An account's means of sign-in changed. Reported by e-mail immediately, independent of targets.
   * @param before the account with its old address: its owner is notified there.
   * @param what the change: for example, an account of a method was bound.
   */
  accountChanged(before: { username: string; email: string }, what: AccountChange): void;
  /** A channel was switched off because of its upstream. */
  channelDisabled(channel: { id: number; name: string }, reason: IncidentReason): void;
  /** One of a channel's keys was disabled; the others stay in use. */
  keyDisabled(channel: { id: number; name: string }, reason: IncidentReason): void;
  /** A disabled channel works again. */
  channelEnabled(channel: { id: number; name: string }): void;
  /** Resolves when everything raised so far is stored or dropped. */
  stored(): Promise<void>;
  /** Stores everything raised so far; steps that cannot be stored immediately are dropped. */
  close(): Promise<void>;
}

/** A step waiting to be stored. */
type Step =
  | { raised: Omit<RaisedNotice, "canMail">; isBySite?: true }
  | { event: NoticeEventName; subject: string };

/** Maximum number of waiting steps while the database does not answer; the oldest are dropped. */
const MAX_STEPS = 1000;
/**
 * Milliseconds before each retry, some five minutes in all: a database is back by then, and a step that it always
 * refuses would block the steps after it.
 */
const RETRY_MS = [1000, 2000, 5000, 10_000, 30_000, 60_000, 60_000, 120_000];

export interface NoticeTools {
  read: Pick<NoticeQueries, "remindBelow">;
  write: Pick<NoticeChanges, "raise" | "resolve">;
  options: Options;
  mailer: Mailer;
  logger: Logger;
  /** Unix seconds. */
  now(): number;
  /** Called when something waits to be sent. */
  onWaiting(): void;
  /** Milliseconds before each retry of storing a step. */
  retryMs?: readonly number[];
}

/** Stores steps one after another, and tries one again that could not be stored. */
const createQueue = (store: (step: Step) => Promise<void>, logger: Logger, retryMs: readonly number[]) => {
  const steps: Step[] = [];
  let storing: Promise<void> | undefined;
  let isClosing = false;
  /** Ends a pause between two tries. */
  let wake = (): void => undefined;

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** Stores in order: an incident begins before its end. */
  const storeAll = async (): Promise<void> => {
    let tries = 0;
    for (let step = steps[0]; step; step = steps[0]) {
      try {
        await store(step);
      } catch (error) {
        const ms = isClosing ? undefined : retryMs[tries];
        logger.warn({ error: String(error), isTriedAgain: ms !== undefined }, "a notice could not be stored");
        tries += 1;
        if (ms !== undefined) {
          await pause(ms);
          continue;
        }
      }
      tries = 0;
      if (steps[0] === step) steps.shift();
    }
  };

  const storeSoon = (): void => {
    storing ??= storeAll().finally(() => {
      storing = undefined;
      // Handles steps added since the last check.
      if (steps.length > 0) storeSoon();
    });
  };

  const add = (step: Step): void => {
    if (steps.length >= MAX_STEPS) steps.shift();
    steps.push(step);
    storeSoon();
  };

  return {
    add,
    async stored() {
      await storing;
    },
    async close() {
      isClosing = true;
      wake();
      await storing;
    },
  };
};

/** Mails the owner of an account that it was changed, in both languages. */
const mailChange = (
  { options, mailer, logger }: NoticeTools,
  ...[{ username, email }, what]: Parameters<Notices["accountChanged"]>
): void => {
  if (email === "" || options.text("SMTPServer") === "") return;
  const systemName = options.text("SystemName");
  // Another person may have made the change: their language is not the owner's.
  const mails = [PEOPLES_LANGUAGE, PROGRAMS_LANGUAGE].map((language) => {
    const change = formatAccountChange(language, what);
    return formatMail(language, "account-changed", { systemName, username, change });
  });
  const subject = mails.map((mail) => mail.subject).join(" / ");
  mailer
    .send({ to: email, subject, html: mails.map(({ html }) => html).join("") })
    .catch((error: unknown) =>
      logger.warn({ error: String(error), subject }, "a notice could not be mailed"),
    );
};

export const createNotices = (tools: NoticeTools): Notices => {
  const { read, write, mailer, logger, now, onWaiting } = tools;
  const store = async (step: Step): Promise<void> => {
    if (!("raised" in step)) return write.resolve(step, now());
    const { userId } = step.raised;
    // A user with their own threshold is notified by `createNoticeWatch`.
    const isTheirs = step.isBySite && userId !== undefined && (await read.remindBelow(userId)) !== undefined;
    if (isTheirs) return;
    const waiting = await write.raise({ ...step.raised, canMail: mailer.isConfigured() });
    if (waiting > 0) onWaiting();
  };

  const { add, stored, close } = createQueue(store, logger, tools.retryMs ?? RETRY_MS);

  const raisedOf = ({ event, subject, userId, params }: Notice): Omit<RaisedNotice, "canMail"> => ({
    event,
    subject: String(subject),
    userId,
    params: JSON.stringify(params),
    at: now(),
  });

  const raise = (notice: Notice): void => add({ raised: raisedOf(notice) });

  const resolve = (event: NoticeEventName, subject: string | number): void =>
    add({ event, subject: String(subject) });

  return {
    raise,
    resolve,
    stored,
    close,
    quotaLow(userId, quota) {
      const about = { subject: userId, userId, params: { quota } };
      if (quota <= 0) raise({ event: "balance-used-up", ...about });
      else add({ raised: raisedOf({ event: "balance-low", ...about }), isBySite: true });
    },
    accountChanged: (before, what) => mailChange(tools, before, what),
    channelDisabled: ({ id, name }, reason) =>
      raise({ event: "channel-disabled", subject: id, params: { id, name, reason } }),
    keyDisabled: ({ id, name }, reason) =>
      raise({ event: "key-disabled", subject: id, params: { id, name, reason } }),
    // `createNoticeWatch` checks whether another key of it is still disabled.
    channelEnabled: ({ id }) => resolve("channel-disabled", id),
  };
};
