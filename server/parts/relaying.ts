import type { UnsupportedFields } from "@tollgate/contract/management/unsupported-fields";
import { createRelay, type Relay } from "@tollgate/relay/relay";
import { createTransport } from "@tollgate/relay/transport/create-transport";
import { fetchMedia } from "@tollgate/relay/transport/fetch-media";
import { formatError } from "../locales/format-data-fault";
import { formatFailure } from "../locales/format-upstream-fault";
import { LANGUAGES, PROGRAMS_LANGUAGE } from "../locales/languages";
import { RequestCounters } from "../metrics/request-counters";
import { toBudgetNotice } from "../notices/budget-notices";
import { alsoWatched } from "../notices/watch-served-models";
import type { ChargingFault } from "../relay-api/read-admitted";
import { openLimits } from "../shared-limits/open-limits";
import { createBudgetWindows } from "../state/budget-windows";
import { createErrorRules } from "../state/error-rules";
import { createFallbacks } from "../state/fallbacks";
import { createGatewayDirectory } from "../state/gateway-directory";
import { createGroupAccess, type GroupAccess } from "../state/group-access";
import { createGroupTimeLimits } from "../state/group-time-limits";
import { KeyNetworks } from "../state/key-networks";
import { createPricing } from "../state/pricing";
import { startSharingBudgets } from "../state/share-budgets";
import { readSpent, startLimiter } from "../state/start-limiter";
import { ThreadedTokenCounter } from "../state/token-counter";
import type { Closing } from "./closing";
import type { Foundation } from "./foundation";
import type { People } from "./people";

/** Limits of keys, users, groups and upstreams, shared with other nodes. */
const openLimiting = async (
  foundation: Foundation,
  { accounts, accountTools, notices }: People,
  groupAccess: GroupAccess,
  closing: Closing,
) => {
  const { config, course, engine, storage, options, logger, nowMs } = foundation;
  const { nodeRank } = engine;
  const limits = await openLimits(config.redis, { nodeRank, hash: accountTools.hash, now: nowMs, logger });
  course.redisConnections = limits.connections;
  closing.add(() => limits.close?.());
  const { rates, conversations } = limits;
  const limiter = await startLimiter(storage.read, accounts, groupAccess, options, nowMs, rates);
  const { budgets } = limiter;
  const windows = createBudgetWindows({
    budgets,
    ...storage,
    reportError: (error) =>
      logger.warn({ error: formatError(error) }, "windows of budgets could not be stored"),
  });
  closing.add(() => windows.close());
  budgets.report({
    opened: windows.opened,
    reached(level) {
      const notice = toBudgetNotice(level, {
        findKey: (id) => accounts.keys.findById(id),
        findUser: (id) => accounts.users.find(id),
      });
      if (notice) notices.raise(notice);
    },
  });
  if (nodeRank)
    closing.add(
      startSharingBudgets({
        budgets,
        findWindows: windows.find,
        async readSpent() {
          const times = budgets.budgetTimes();
          budgets.raise(await readSpent(storage.read, accounts, groupAccess, times), times);
        },
        exchange: limits.exchangeBudgets,
        reportError: (error) =>
          logger.warn(
            { error: formatError(error) },
            "what other nodes have spent of budgets could not be read",
          ),
      }),
    );
  return { rates, conversations, limiter };
};

/** Opens tracing if a collector is configured; otherwise loads none of its code. */
const openTracing = async ({ config, logger }: Foundation, { channels }: People, closing: Closing) => {
  if (!config.tracing) return undefined;
  const { alsoTraced, startTracing } = await import("../tracing/start-tracing");
  const tracing = startTracing(config.tracing, channels, (reason) =>
    logger.warn({ reason }, "the collector of traces takes nothing; spans are dropped"),
  );
  closing.add(() => tracing.close());
  return { ...tracing, alsoTraced };
};

/** Everything that a request for a model passes through, from its hold to its charge. */
export const openRelaying = async (foundation: Foundation, people: People, closing: Closing) => {
  const { config, files, course, engine, options, logger, nowMs } = foundation;
  const { accounts, channels, notices } = people;
  const groupAccess = createGroupAccess(options);
  const directory = createGatewayDirectory(accounts, channels, groupAccess, options);
  const pricing = createPricing(options, nowMs, (channelId) => channels.buyingPricesOf(channelId));
  const tokenCounter = new ThreadedTokenCounter({
    workerPath: files.tokenCounterWorker,
    isApproximate: () => options.isOn("ApproximateTokenEnabled"),
    reportError: (error) => logger.error({ error: error.message }, "counting failed"),
  });
  closing.add(() => tokenCounter.close());
  const transport = createTransport(config);
  closing.add(() => transport.close());
  const { rates, conversations, limiter } = await openLimiting(foundation, people, groupAccess, closing);
  const counters = new RequestCounters(({ key, requestedModel }) =>
    directory.groupsOf(key).some((group) => channels.isListed(group, requestedModel)),
  );
  const tracing = await openTracing(foundation, people, closing);
  const charging = engine.openCharging({
    accounts,
    options,
    now: nowMs,
    onQuotaLow: notices.quotaLow,
    countActive: () => relay.active,
    limiter,
    ended: alsoWatched(tracing?.alsoTraced(counters) ?? counters, {
      channelName: (id) => channels.nameOf(id),
      notices,
    }),
  });
  closing.add(() => charging.close());
  const unsupportedFields = (): UnsupportedFields =>
    options.text("UnsupportedFields") === "refuse" ? "refuse" : "ignore";
  const relay: Relay = createRelay({
    directory,
    pricing,
    holds: charging.holds,
    charges: charging.charges,
    limiter,
    upstreamBounds: {
      rates,
      queueLength: () => options.number("UpstreamQueueLength"),
      queueMs: () => options.number("UpstreamQueueSeconds") * 1000,
      waited: (waitMs, isServed) => counters.waited(waitMs, isServed),
    },
    conversations,
    fallbacks: createFallbacks(options),
    timeLimitsOf: createGroupTimeLimits(options),
    rewriteError: createErrorRules(options),
    unsupportedFields,
    tokenCounter,
    transport,
    fetchMedia,
    now: nowMs,
    quietMs: config.firstByteTimeoutMs + config.idleTimeoutMs,
    random: Math.random,
    reportFailure: ({ detail, ...event }) =>
      logger.warn(
        { ...event, detail: formatFailure(LANGUAGES[PROGRAMS_LANGUAGE], detail) },
        "an upstream attempt failed",
      ),
  });
  course.requests = relay;
  const feed = engine.shared?.feed;
  // A node that receives no changes would admit a banned user.
  const chargingFault = (): ChargingFault | undefined =>
    feed?.isDeaf() ? "node-not-admitting" : charging.fault();
  return {
    groupAccess,
    directory,
    pricing,
    tokenCounter,
    unsupportedFields,
    transport,
    counters,
    tracing,
    charging,
    chargingFault,
    limiter,
    relay,
    keyNetworks: new KeyNetworks(() => options.number("UnusualNetworkRequests") > 0),
  };
};

export type Relaying = Awaited<ReturnType<typeof openRelaying>>;
