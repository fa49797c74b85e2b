import { TOKEN_DISABLED } from "@tollgate/contract/values/statuses";
import type { Config } from "../config";
import { advancingPlans } from "../jobs/advance-plans";
import { askingForOrders } from "../jobs/ask-for-orders";
import { forgettingAudit } from "../jobs/audit-retention";
import { watchingWindows } from "../jobs/channel-windows";
import { closingBuckets } from "../jobs/close-buckets";
import { closingTickets } from "../jobs/close-tickets";
import { forgettingExpired } from "../jobs/forget-expired";
import { retentions } from "../jobs/log-retention";
import { notingNetworks } from "../jobs/note-networks";
import { notingSessions } from "../jobs/note-sessions";
import { publishingPrices } from "../jobs/publish-prices";
import { scheduledBackups, writeByCommand } from "../jobs/scheduled-backup";
import type { Job } from "../jobs/start-job";
import { syncingPrices } from "../jobs/sync-prices";
import { testingChannels } from "../jobs/test-channels";
import { watchingTypedBalances } from "../jobs/typed-balances";
import { watchingMargins } from "../jobs/watch-margins";
import { watchingModels } from "../jobs/watch-models";
import { watchingSpending } from "../jobs/watch-spending";
import type { Foundation } from "./foundation";
import type { People } from "./people";
import type { Relaying } from "./relaying";
import type { Sales } from "./sales";
import type { Upstreams } from "./upstreams";

/** Names the storage to a command, also where the data was moved since the start. */
const environmentOf = ({ dataDir, database, masterKey }: Config): NodeJS.ProcessEnv => ({
  ...process.env,
  DATA_DIR: dataDir,
  DATABASE_URL: database?.address ?? "",
  DATABASE_READ_URL: "",
  DATABASE_LISTEN_URL: "",
  MASTER_KEY: masterKey ?? "",
});

/** Everything that is done now and then. */
export const listJobs = (
  { config, files, storage, options, logger, now, nowMs, isFirstNode }: Foundation,
  { accounts, plans, channels, notices, noticeSender }: People,
  { keyNetworks, pricing }: Relaying,
  { channelTests, upstreamModels }: Upstreams,
  { orders, priceDrafts }: Sales,
): Job[] => [
  ...retentions(storage, options, now),
  closingBuckets(storage, now),
  advancingPlans({ plans, read: storage.read.plans, write: storage.write.plans, notices, options, now }),
  publishingPrices(priceDrafts),
  forgettingExpired(accounts.sessions, accounts.keys, storage.write, now),
  noticeSender.job,
  syncingPrices({
    options,
    pricing,
    channels,
    audit: storage.write.audit,
    isMine: isFirstNode,
    logger,
    notices,
    nowMs,
  }),
  ...(config.backups
    ? [
        scheduledBackups({
          plan: config.backups,
          write: writeByCommand(files.tollgate, environmentOf(config)),
          notices,
          now: Date.now,
        }),
      ]
    : []),
  watchingModels({ options, channels, upstreamModels, isMine: isFirstNode, logger, notices, nowMs }),
  testingChannels(channelTests, options, isFirstNode, nowMs),
  watchingWindows(storage.read.channels, channels, now),
  watchingTypedBalances(storage.read.channels, options, notices),
  watchingMargins({
    profit: storage.read.profit,
    open: () => storage.read.notices.open(),
    notices,
    channelName: (id) => channels.nameOf(id),
    isMine: isFirstNode,
    now,
  }),
  notingNetworks(keyNetworks, storage.write.keyNetworks, now),
  notingSessions(accounts.sessions),
  watchingSpending({
    usage: storage.read.usage,
    newUse: (hour, knownSince, least) => storage.read.keyNetworks.newUse(hour, knownSince, least),
    open: () => storage.read.notices.open(),
    options,
    notices,
    keyOf: (id) => {
      const key = accounts.keys.findById(id);
      return (
        key && {
          name: key.name,
          status: key.status,
          userId: key.user.id,
          username: key.user.username,
        }
      );
    },
    disableKey: (userId, id) => accounts.keys.change(userId, id, { status: TOKEN_DISABLED }),
    audit: storage.write.audit,
    isMine: isFirstNode,
    now,
  }),
  askingForOrders(orders),
  closingTickets({ write: storage.write.tickets, notices, options, now }),
  forgettingAudit({ write: storage.write.audit, options, now }),
  ...storage.upkeep,
];
