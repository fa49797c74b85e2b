import type { NoticeEventName } from "@tollgate/contract/notices/notice-events";
import type { RaisedNotice } from "@tollgate/contract/records/notice-record";
import type { SignInMethod } from "@tollgate/contract/sign-in/methods";
import type { IncidentReason } from "@tollgate/relay/ports";
import type { NoticeChanges, NoticeQueries } from "@tollgate/storage/accounts/site-ports";
import type { Logger } from "pino";
import { formatAccountChange } from "../locales/format-account-change";
import { formatMail } from "../locales/format-mail";
import type { NoticeParams } from "../locales/format-notice";
import { PEOPLES_LANGUAGE, PROGRAMS_LANGUAGE } from "../locales/languages";
import type { Mailer } from "../management-api/mailer";
import type { Options } from "../state/options";

/** Something that people may want to be told of (docs/guides/notices.md). */
export interface Notice {
  event: NoticeEventName;
  /** What it happened to, such as the id of a channel: with the event it is the incident, which is told once. */
  subject: string | number;
  /** The user it is about, of events for users. */
  userId?: number;
  /** What its texts are filled with (`server/locales/<language>/notices.json`). No secrets: they are stored as they are. */
  params: NoticeParams;
}

/** Tells people what happens. No caller waits for it: what cannot be stored now is stored later, or said in the log. */
export interface Notices {
  /** Something happened, or an incident began. However often and on however many nodes it is raised, it is told once. */
  raise(notice: Notice): void;
  /** An incident is over. It is told so when it did not begin again meanwhile. */
  resolve(event: NoticeEventName, subject: string | number): void;
  /** A user's balance has fallen below the threshold, or is used up. @param quota what is left. */
  quotaLow(userId: number, quota: number): void;
  /**
   * A person can sign in to an account otherwise than before. Told by e-mail at once, whatever targets there are.
   * @param before the account with the address that it had: its owner is told there.
   * @param what was changed: the account of a method was bound, for example.
   */
  accountChanged(
    before: { username: string; email: string },
    what: "password" | "email" | SignInMethod,
  ): void;
  /** A channel was switched off because of its upstream. */
  channelDisabled(channel: { id: number; name: string }, reason: IncidentReason): void;
  /** One of a channel's keys was taken out of use; the others go on. */
  keyDisabled(channel: { id: number; name: string }, reason: IncidentReason): void;
  /** What was switched off works again. */
  channelEnabled(channel: { id: number; name: string }): void;
  /** Resolves when all that was raised so far is stored, or given up. */
  stored(): Promise<void>;
  /** Stores what was raised so far; what cannot be stored at once is given up. */
  close(): Promise<void>;
}

/** What waits to be stored. */
type Step =
  | { raised: Omit<RaisedNotice, "canMail">; isBySite?: true }
  | { event: NoticeEventName; subject: string };

/** While the database does not answer, more than this is given up, the oldest first. */
const MAX_STEPS = 1000;
/**
 * Milliseconds before each further try, some five minutes in all: a database is back by then, and what it refuses each time would
 * hold up what comes after it.
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
  /** Milliseconds before each further try of what could not be stored. */
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

  /** In their order: what is over began before. */
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
      // What came between the last look and here.
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
  // Another person may have made the change: it says nothing of the language of who is told.
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
    // Who has a threshold of their own is told by that (`createNoticeWatch`).
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
    // Whether another key of it is still out of use is looked at (`createNoticeWatch`).
    channelEnabled: ({ id }) => resolve("channel-disabled", id),
  };
};
