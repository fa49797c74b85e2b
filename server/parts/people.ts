import { setTimeout as wait } from "node:timers/promises";
import { createAccounts, loadAccounts } from "@tollgate/accounts/accounts";
import { Plans } from "@tollgate/accounts/plans";
import type { AccountTools } from "@tollgate/accounts/ports";
import { Channels } from "@tollgate/relay/routing/channels";
import { postText } from "@tollgate/relay/transport/guarded-fetch";
import { notifyPlanEvent } from "../jobs/advance-plans";
import { RunningJobs } from "../jobs/start-job";
import { formatError } from "../locales/format-data-fault";
import { createMailer, type Mailer } from "../management-api/mailer";
import { NoticeSender } from "../notices/notice-sender";
import { createNoticeWatch } from "../notices/notice-watch";
import { createNotices, type Notices } from "../notices/notices";
import {
  accountStoreOf,
  planRefusalOf,
  planStoreOf,
  readStoredAccounts,
  readStoredChannels,
} from "../state/account-store";
import { createChangeFollower } from "../state/change-follower";
import { readCommissionRule } from "../state/commission-rule";
import type { Closing } from "./closing";
import type { Foundation } from "./foundation";

/** Timeout of a stop for jobs that wait for a database. */
const JOBS_END_MS = 5000;

const openChannels = async (
  { storage, options, logger, nowMs, reportError }: Foundation,
  notices: Notices,
  announce: ConstructorParameters<typeof Channels>[1]["announce"],
): Promise<Channels> => {
  const channels = new Channels(storage.write.channels, {
    incidents: {
      channelDisabled(channel, reason) {
        logger.warn({ channelId: channel.id, reason }, "a channel was disabled");
        notices.channelDisabled(channel, reason);
      },
      keyDisabled(channel, reason) {
        logger.warn({ channelId: channel.id, reason }, "a channel's key was taken out of use");
        notices.keyDisabled(channel, reason);
      },
      channelEnabled(channel) {
        logger.info({ channelId: channel.id }, "a channel works again");
        notices.channelEnabled(channel);
      },
    },
    isDisablingOn: () => options.isOn("AutomaticDisableChannelEnabled"),
    announce,
    nowMs,
    reportError,
  });
  await channels.load(readStoredChannels(storage.read));
  return channels;
};

/** Keeps this node's memory up to date with changes by other nodes. */
const followChanges = (
  { engine: { shared }, options, logger, now }: Foundation,
  accounts: ReturnType<typeof createAccounts>,
  channels: Channels,
): void => {
  if (!shared) return;
  if (!shared.feed.hearsAtOnce)
    logger.warn(
      "a pooler swallows what nodes tell each other at once: DATABASE_LISTEN_URL may name PostgreSQL itself (docs/guides/several-nodes.md)",
    );
  const memory = { accounts, channels, options };
  shared.feed.follow(
    createChangeFollower(shared.readInOrder, memory, {
      now,
      onRecall: shared.recalled,
      reportError: (error) =>
        logger.error(
          { error: formatError(error) },
          "what other nodes change cannot be read; it is tried again",
        ),
    }),
  );
};

const createNoticeSender = (
  { storage, options, logger, nowMs }: Foundation,
  mailer: Mailer,
  notices: Notices,
  channels: Channels,
): NoticeSender =>
  new NoticeSender({
    read: storage.read,
    write: storage.write.notices,
    exclusively: storage.exclusively,
    options,
    mailer,
    isMailConfigured: mailer.isConfigured,
    watch: createNoticeWatch({
      read: storage.read,
      write: storage.write.notices,
      channels,
      remindBelow: () => options.number("QuotaRemindThreshold"),
      onBelowOwn: (userId, quota) =>
        notices.raise({ event: "balance-low", subject: userId, userId, params: { quota } }),
      upstreamBelow: () => options.number("UpstreamBalanceThreshold"),
      quotaPerUnit: () => options.number("QuotaPerUnit"),
      nowMs,
    }),
    nowMs,
    post: postText,
    reportError: (error) => logger.warn({ error: formatError(error) }, "notices could not be sent"),
  });

/** Accounts, plans and channels in memory, and the notices about them. */
export const openPeople = async (foundation: Foundation, closing: Closing) => {
  const { engine, storage, secrets, options, logger, now, reportError } = foundation;
  const mailer = createMailer(options, (error) =>
    logger.warn({ error: error.message }, "a mail could not be sent"),
  );
  let noticeSender: NoticeSender | undefined;
  const notices = createNotices({
    read: storage.read.notices,
    write: storage.write.notices,
    options,
    mailer,
    logger,
    now,
    onWaiting: () => noticeSender?.kick(),
  });
  const accountTools: AccountTools = {
    hash: (text) => secrets.hash(text),
    now,
    amountUnit: () => ({
      quotaPerUnit: options.number("QuotaPerUnit"),
      isCurrency: options.isOn("DisplayInCurrencyEnabled"),
    }),
    commissionRule: () => readCommissionRule(options),
    reportError,
  };
  const accounts = createAccounts(accountStoreOf(storage), accountTools, engine.money);
  accounts.changes.subscribe((change) => logger.debug(change, "changed"));
  const plans = new Plans(planStoreOf(storage), accounts.users, accounts.balances, {
    ...accountTools,
    refusalOf: planRefusalOf,
    onEvent: (event) => notifyPlanEvent(notices, event),
  });
  await loadAccounts(accounts, await readStoredAccounts(storage.read, now()));
  const channels = await openChannels(foundation, notices, accounts.changes.announce);
  followChanges(foundation, accounts, channels);
  const sender = createNoticeSender(foundation, mailer, notices, channels);
  noticeSender = sender;
  const jobs = new RunningJobs(storage, reportError);
  closing.add(async () => {
    const ended = Promise.all([notices.close(), sender.stop(), jobs.stop()]);
    // A database server may not answer any more; a file always does.
    await (engine.shared ? Promise.race([ended, wait(JOBS_END_MS)]) : ended);
  });
  return { mailer, notices, noticeSender: sender, accounts, accountTools, plans, channels, jobs };
};

export type People = Awaited<ReturnType<typeof openPeople>>;
