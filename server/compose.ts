import { once } from "node:events";
import { rmSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createAccounts, loadAccounts } from "@tollgate/accounts/accounts";
import { Plans } from "@tollgate/accounts/plans";
import type { AccountTools } from "@tollgate/accounts/ports";
import { ROLE_ROOT } from "@tollgate/contract/values/roles";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { PROBE_REQUEST } from "@tollgate/protocols/protocols";
import { createProber } from "@tollgate/relay/probe";
import { createRelay, type Relay } from "@tollgate/relay/relay";
import { Channels } from "@tollgate/relay/routing/channels";
import { createTransport } from "@tollgate/relay/transport/create-transport";
import { fetchMedia } from "@tollgate/relay/transport/fetch-media";
import { postText } from "@tollgate/relay/transport/guarded-fetch";
import { createModelLister } from "@tollgate/relay/upstream-models";
import { checkFolderIsMoved, checkFolderMarks } from "@tollgate/storage/promote/folder-marks";
import { createSecrets } from "@tollgate/storage/secrets";
import { pino } from "pino";
import type { Config } from "./config";
import { createConsoleFiles } from "./console-files";
import type { Engine, EngineSettings } from "./engines/engine";
import { openSqliteEngine } from "./engines/sqlite-engine";
import { readAllowedOrigins } from "./http/allowed-origins";
import { createClientAddresses } from "./http/client-address";
import { guardRequests } from "./http/fail-request";
import { giveUpOnStalled } from "./http/give-up-on-stalled";
import { hasOneHost, refuseHosts } from "./http/one-host";
import { RateLimit } from "./http/rate-limit";
import { advancingPlans, tellPlanEvent } from "./jobs/advance-plans";
import { askingForOrders } from "./jobs/ask-for-orders";
import { watchingWindows } from "./jobs/channel-windows";
import { closingBuckets } from "./jobs/close-buckets";
import { forgettingExpired } from "./jobs/forget-expired";
import { retentions } from "./jobs/log-retention";
import { KeyProbes } from "./jobs/probe-keys";
import { publishingPrices } from "./jobs/publish-prices";
import { scheduledBackups, writeByCommand } from "./jobs/scheduled-backup";
import { startJob } from "./jobs/start-job";
import { syncingPrices } from "./jobs/sync-prices";
import { ChannelTests, testingChannels } from "./jobs/test-channels";
import { watchingTypedBalances } from "./jobs/typed-balances";

import { watchingMargins } from "./jobs/watch-margins";

import { watchingModels } from "./jobs/watch-models";
import { LANGUAGES, PROGRAMS_LANGUAGE } from "./locales/languages";
import { sayError } from "./locales/say-data-fault";
import { sayFailure } from "./locales/say-upstream-fault";
import { createBalanceReader } from "./management-api/channels/balance-reader";
import { createMailer } from "./management-api/mailer";
import { createManagementApp } from "./management-api/management-app";
import type { Services } from "./management-api/services";
import { createCodeExchanges } from "./management-api/sign-in/code-exchanges";
import { ensureRootUser, prepareRoot } from "./management-api/sign-in/prepare-root";
import { RootSetup } from "./management-api/sign-in/root-setup";
import { derivedCodes, drawnCodes } from "./management-api/sign-in/setup-codes";
import { SignInLimits } from "./management-api/sign-in/sign-in-limits";
import { createTurnstile } from "./management-api/sign-in/turnstile";
import { loadMasterKey } from "./master-key";
import { createMetricsEndpoint } from "./metrics/metrics-endpoint";
import { RequestCounters } from "./metrics/request-counters";
import { NoticeSender } from "./notices/notice-sender";
import { createNoticeWatch } from "./notices/notice-watch";
import { createNotices } from "./notices/notices";
import { createOperator } from "./operator/operator";
import {
  makeSocketFolder,
  NO_OPERATOR_SOCKET,
  openOperatorSocket,
  operatorSocketPath,
} from "./operator/operator-socket";
import { Orders } from "./payments/orders";
import { makeFolderPrivate } from "./private-folder";
import { reachableAddress } from "./reachable-address";
import { PriceDrafts } from "./rehearsal/price-drafts";
import { Rehearsals } from "./rehearsal/rehearsals";
import { isMeantForClientApi, plainTarget } from "./relay-api/address-book";
import { readBilling } from "./relay-api/billing";
import { BodyBytes } from "./relay-api/body-bytes";
import { BodyLog } from "./relay-api/body-log";
import { isOfClientApi } from "./relay-api/client-terms";
import { createGateway } from "./relay-api/gateway";
import type { ChargingFault } from "./relay-api/read-admitted";
import { RefusalLimits } from "./relay-api/refusal-limits";
import { type OpenedLimits, openLimits } from "./shared-limits/open-limits";
import {
  accountStoreOf,
  planRefusalOf,
  planStoreOf,
  readStoredAccounts,
  readStoredChannels,
} from "./state/account-store";
import { createChangeFollower } from "./state/change-follower";
import { createFallbacks } from "./state/fallbacks";
import { createGatewayDirectory } from "./state/gateway-directory";
import { createGroupAccess } from "./state/group-access";
import { startNodeReporter } from "./state/node-reporter";
import { Options } from "./state/options";
import { createPricing } from "./state/pricing";
import { startSharingBudgets } from "./state/share-budgets";
import { readSpent, startLimiter } from "./state/start-limiter";
import { ThreadedTokenCounter } from "./state/token-counter";
import { createTurnClock } from "./turn-clock";

/** Where the built parts lie that are not imported. */
export interface BuiltFiles {
  storageWorker: string;
  postgresLogWorker: string;
  bookingsWorker: string;
  tokenCounterWorker: string;
  rehearsalWorker: string;
  /** The command. */
  tollgate: string;
  /** Folder of the built console. */
  console: string;
}

/** Who a product is started for. */
export interface Start {
  /**
   * "everybody" that calls, by default; or the local operator alone, who does something and ends it: then it listens on no
   * address, and does nothing by itself.
   */
  serves?: "everybody" | "operator";
  /** A server that listens already, whose requests it takes over. */
  server?: Server;
  /** Called right before it takes requests, which something else may answer until then. */
  beforeListening?: () => Promise<void>;
}

export interface Product {
  /** The address that it listens on; "" where it serves the operator alone. */
  url: string;
  /** Where it takes the operator's calls; undefined where it takes none. */
  operatorPath: string | undefined;
  /** Sets root's first password; undefined when it has one. */
  setupCode: string | undefined;
  /** Server that takes its connections. */
  server: Server;
  /**
   * Takes no new requests, lets the running ones end, stores everything, and ends.
   * @param standIn answers from then on; the address and its connections then stay.
   */
  stop(standIn?: RequestListener): Promise<void>;
}

/** How many connections may wait to be taken; of a thousand clients that come at once, Node's own 511 would lose some. */
const BACKLOG = 4096;

/** Timeout of a stop for answers that are not relayed. */
const LINGER_MS = 1000;

/** How long the end waits for jobs in a database. */
const JOBS_END_MS = 5000;
/** Calendars of channels are exact to the minute; that one begins is noticed within this. */
const CALENDAR_REVIEW_MS = 1000;

/** How long a request's head may take, from the connection's begin; a body has longer (Node's own five minutes). */
const HEAD_TIMEOUT_MS = 20_000;
const CONNECTIONS_CHECK_MS = 5_000;

/** Targets that the management API answers. */
const MANAGEMENT = /^\/(?:api|healthz|readyz|metrics(?:[/?]|$))/;

/** Over which calls of /api are counted (contract section 0.7). */
const GLOBAL_WINDOW_MS = 180_000;
const CRITICAL_WINDOW_MS = 1_200_000;

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, BACKLOG, () => resolve());
  });

const addressOf = (server: Server): string => {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
};

/** Opens where the data is: in a database, or in files of this process. */
const openEngine = async (
  { database, dataDir }: Config,
  { storageWorker, postgresLogWorker, bookingsWorker }: BuiltFiles,
  settings: EngineSettings,
): Promise<Engine> => {
  const mainPath = join(dataDir, "tollgate.db");
  if (database === undefined) {
    checkFolderMarks(mainPath);
    return openSqliteEngine(dataDir, storageWorker, settings);
  }
  checkFolderIsMoved(mainPath);
  // A process with files loads no driver of a database server.
  const { openPostgresEngine } = await import("./engines/postgres-engine");
  return openPostgresEngine(database, { log: postgresLogWorker, bookings: bookingsWorker }, settings);
};

/** Says to a command where the data is, also where that was brought elsewhere since the start. */
const environmentOf = ({ dataDir, database, masterKey }: Config): NodeJS.ProcessEnv => ({
  ...process.env,
  DATA_DIR: dataDir,
  DATABASE_URL: database?.address ?? "",
  DATABASE_READ_URL: "",
  DATABASE_LISTEN_URL: "",
  MASTER_KEY: masterKey ?? "",
});

/** What `/readyz` says while nothing can be charged. */
const READINESS = {
  "storage-failing": "storage failing",
  "node-not-admitting": "database not answering",
} as const;

/** Puts the product together and starts it. */
export const startProduct = async (
  config: Config,
  files: BuiltFiles,
  { serves = "everybody", server: given, beforeListening }: Start = {},
): Promise<Product> => {
  const isForEverybody = serves === "everybody";
  const logger = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
  const notOwned = config.database === undefined ? makeFolderPrivate(config.dataDir) : [];
  if (notOwned.length > 0)
    logger.warn({ paths: notOwned }, "these belong to another user, so that others may be able to read them");
  const masterKey = loadMasterKey(config.dataDir, config.masterKey);
  const reportError = (error: Error): void => logger.error({ error: sayError(error) }, "storing failed");
  /** Says that it is not ready, and takes what comes all the same: a balancer needs a moment to hear of it. */
  let isLeaving = false;
  let isStopping = false;
  let address: string | undefined;
  let limits: OpenedLimits | undefined;
  let requests: { readonly begun: number; readonly active: number } | undefined;
  const reporter = startNodeReporter({
    name: config.nodeName,
    startTime: toUnixSeconds(Date.now()),
    address: () => address,
    isLeaving: () => isLeaving,
    requests: () => requests,
    redisConnections: () => limits?.connections?.(),
  });
  const engine = await openEngine(config, files, {
    masterKey,
    about: reporter.report,
    reportError,
    onMove: (move) => logger.debug(move, "a balance moved"),
    onBroken(error) {
      logger.fatal({ error: sayError(error) }, "a thread has ended by an error, so that this process ends");
      process.exit(1);
    },
  });
  const storage = engine.stores;
  const nowMs = createTurnClock();
  const now = () => toUnixSeconds(nowMs());
  await ensureRootUser(storage, now());

  const secrets = createSecrets(masterKey);
  const options = await Options.load(storage.read, storage.write);
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
    reportError,
  };
  const accounts = createAccounts(accountStoreOf(storage), accountTools, engine.money);
  accounts.changes.subscribe((change) => logger.debug(change, "changed"));
  const plans = new Plans(planStoreOf(storage), accounts.users, accounts.balances, {
    ...accountTools,
    refusalOf: planRefusalOf,
    onEvent: (event) => tellPlanEvent(notices, event),
  });
  await loadAccounts(accounts, await readStoredAccounts(storage.read, now()));
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
    announce: accounts.changes.announce,
    nowMs,
    reportError,
  });
  await channels.load(readStoredChannels(storage.read));
  const feed = engine.shared?.feed;
  if (feed && !feed.hearsAtOnce)
    logger.warn(
      "a pooler swallows what nodes tell each other at once: DATABASE_LISTEN_URL may name PostgreSQL itself (docs/guides/several-nodes.md)",
    );
  if (engine.shared) {
    const memory = { accounts, channels, options };
    engine.shared.feed.follow(
      createChangeFollower(engine.shared.readInOrder, memory, {
        now,
        onRecall: engine.shared.recalled,
        reportError: (error) =>
          logger.error(
            { error: sayError(error) },
            "what other nodes change cannot be read; it is tried again",
          ),
      }),
    );
  }
  const groupAccess = createGroupAccess(options);
  const directory = createGatewayDirectory(accounts, channels, groupAccess);
  const rootSetup = new RootSetup(
    config.allowsDefaultPassword,
    engine.shared ? derivedCodes((text) => secrets.hash(text)) : drawnCodes(),
    (userId) => accounts.users.find(userId)?.passwordHash,
  );
  const setupCode = isForEverybody
    ? await prepareRoot({ accounts, storage }, rootSetup, config, nowMs())
    : undefined;
  const pricing = createPricing(options, nowMs, (channelId) => channels.buyingPricesOf(channelId));
  const tokenCounter = new ThreadedTokenCounter({
    workerPath: files.tokenCounterWorker,
    isApproximate: () => options.isOn("ApproximateTokenEnabled"),
    reportError: (error) => logger.error({ error: error.message }, "counting failed"),
  });
  const transport = createTransport(config);
  const { livePlace } = engine;
  limits = await openLimits(config.redis, { livePlace, hash: accountTools.hash, now: nowMs, logger });
  const { rates, conversations } = limits;
  const limiter = await startLimiter(storage.read, accounts, groupAccess, options, nowMs, rates);
  const stopSharingBudgets =
    livePlace &&
    startSharingBudgets({
      limiter,
      async readSpent() {
        const times = limiter.budgetTimes();
        limiter.raise(await readSpent(storage.read, accounts, groupAccess, times), times);
      },
      exchange: limits.exchangeBudgets,
      reportError: (error) =>
        logger.warn({ error: sayError(error) }, "what other nodes have spent of budgets could not be read"),
    });
  const counters = new RequestCounters(({ key, requestedModel }) =>
    directory.groupsOf(key).some((group) => channels.isListed(group, requestedModel)),
  );
  // Without a collector nothing of it is loaded.
  const tracingModule = config.tracing && (await import("./tracing/start-tracing"));
  const tracing =
    config.tracing &&
    tracingModule?.startTracing(config.tracing, channels, (reason) =>
      logger.warn({ reason }, "the collector of traces takes nothing; spans are dropped"),
    );
  const charging = engine.openCharging({
    accounts,
    options,
    now: nowMs,
    onQuotaLow: notices.quotaLow,
    countActive: () => relay.active,
    limiter,
    ended: tracingModule?.alsoTraced(counters) ?? counters,
  });
  // A node that hears of no change would let in who was banned.
  const chargingFault = (): ChargingFault | undefined =>
    feed?.isDeaf() ? "node-not-admitting" : charging.fault();
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
    unsupportedFields: () => (options.text("UnsupportedFields") === "refuse" ? "refuse" : "ignore"),
    tokenCounter,
    transport,
    fetchMedia,
    now: nowMs,
    quietMs: config.firstByteTimeoutMs + config.idleTimeoutMs,
    random: Math.random,
    reportFailure: ({ detail, ...event }) =>
      logger.warn(
        { ...event, detail: sayFailure(LANGUAGES[PROGRAMS_LANGUAGE], detail) },
        "an upstream attempt failed",
      ),
  });
  requests = relay;

  const authTools = { transport, now: nowMs, random: Math.random };
  const prober = createProber(authTools, PROBE_REQUEST);
  const channelTests = new ChannelTests({
    channels,
    prober,
    store: storage.write.channels,
    options,
    now,
    logger,
  });
  const calendars = setInterval(() => channels.reviewCalendars(), CALENDAR_REVIEW_MS);
  calendars.unref();
  const keyProbes = new KeyProbes({
    keysOutOfUse: () => channels.keysOutOfUse(),
    probe: (entry) => prober.probe(entry),
    longestMs: () => options.number("ChannelDisableThreshold") * 1000,
    revive: (entry) => channels.reviveKey(entry),
    // Of several nodes the first that lives: the next one goes on where it is gone.
    isOn: () =>
      isForEverybody && options.isOn("AutomaticEnableChannelEnabled") && (livePlace?.().place ?? 0) === 0,
    intervalMs: config.keyProbeIntervalMs,
  });

  noticeSender = new NoticeSender({
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
    reportError: (error) => logger.warn({ error: sayError(error) }, "notices could not be sent"),
  });
  const liveNodes = (): number => livePlace?.().nodes ?? 1;
  const rateLimits = {
    global: new RateLimit(config.globalApiRateLimit, GLOBAL_WINDOW_MS, liveNodes),
    critical: new RateLimit(config.criticalRateLimit, CRITICAL_WINDOW_MS, liveNodes),
  };
  let operatorSocket = NO_OPERATOR_SOCKET;
  const root = await storage.read.users.findByRole(ROLE_ROOT);
  const operator = createOperator((request) => operatorSocket.has(request), accounts.users, root?.id);
  const orders = new Orders({
    read: storage.read.orders,
    write: storage.write.orders,
    users: accounts.users,
    plans,
    readPlans: storage.read.plans,
    ownQuota: async (userId) =>
      (await storage.read.plans.own(userId)) - (await storage.read.plans.parked(userId)),
    options,
    notices,
    logger,
    amountUnit: accountTools.amountUnit,
    nowMs,
    addresses: config.paymentAddresses,
  });
  const priceDrafts = new PriceDrafts({
    read: storage.read.priceDrafts,
    write: storage.write.priceDrafts,
    options,
    notices,
    now,
  });
  const rehearsals = new Rehearsals({
    read: storage.read,
    write: storage.write.priceDrafts,
    options,
    workerPath: files.rehearsalWorker,
    nameOf: (id) => accounts.users.find(id)?.username,
    reportError: (error) => logger.error({ error: sayError(error) }, "a rehearsal of prices failed"),
    now,
  });
  const services: Services = {
    channelUse: (targets) => relay.channelUse(targets),
    speedsOf: (targets) => relay.speedsOf(targets),
    storage,
    accounts,
    plans,
    channels,
    options,
    pricing,
    groupAccess,
    priceDrafts,
    rehearsals,
    channelTests,
    secrets,
    addresses: createClientAddresses(config.trustedProxies, (proxy) =>
      logger.warn(
        { proxy },
        "requests come through a proxy that TRUSTED_PROXIES does not name: all of its visitors share one rate limit",
      ),
    ),
    allowedOrigins: readAllowedOrigins(config.allowedOrigins),
    operator,
    rateLimits,
    balances: createBalanceReader(),
    upstreamModels: createModelLister(authTools),
    rootSetup,
    signInLimits: new SignInLimits(
      rateLimits.critical,
      config.criticalRateLimit,
      CRITICAL_WINDOW_MS,
      liveNodes,
    ),
    mailer,
    notices,
    noticeSender,
    codeExchanges: createCodeExchanges(options, config.signInAddresses),
    turnstile: createTurnstile(options, config.turnstileUrl),
    orders,
    logger,
    nodes: engine.nodes,
    feed,
    startTime: now(),
    now,
  };

  const bodyLog = new BodyLog({
    bodies: storage.bodies,
    options,
    now: nowMs,
    reportLoss: (count, reason) => logger.warn({ count, reason }, "bodies were not stored"),
  });
  const reportFailure = (error: Error): void => logger.error({ error: error.stack }, "a request failed");
  const bodyBytes = new BodyBytes(config.bodiesLimitBytes);
  const gateway = createGateway({
    directory,
    relay,
    bodyLog,
    bodyLimitBytes: config.bodyLimitBytes,
    bodyBytes,
    refusalLimits: new RefusalLimits({
      perMinute: () => options.number("RefusalsPerMinute"),
      now: nowMs,
      subscriberOf: (request) => services.addresses.subscriberOf(request),
    }),
    onRefused: (code) => counters.refused(code),
    tracer: tracing?.tracer,
    takeCall: (request) => services.rateLimits.global.take(services.addresses.subscriberOf(request), nowMs()),
    addressOf: (request) => services.addresses.of(request),
    catchUp: feed && (() => feed.catchUp(false)),
    readBilling: (key, kind) => readBilling(storage.read, options, key, kind),
    reportError: reportFailure,
    now: nowMs,
    isStopping: () => isStopping,
    chargingFault,
  });
  const consoleFiles = createConsoleFiles(
    files.console,
    config.consoleApiBaseUrl,
    () => options.isOn("TurnstileCheckEnabled"),
    services.addresses.isHttps,
  );

  const server =
    given ??
    createServer({
      headersTimeout: HEAD_TIMEOUT_MS,
      keepAliveTimeout: config.keepAliveTimeoutMs,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      // Refused here, beside a request that names several.
      requireHostHeader: false,
    });
  /** Answers of the management API under way. */
  const calls = new Set<ServerResponse>();
  const readiness = (): string => {
    if (isLeaving) return "stopping";
    const fault = chargingFault();
    return fault ? READINESS[fault] : "ok";
  };
  const metrics = createMetricsEndpoint(
    counters,
    {
      isReady: () => readiness() === "ok",
      relay,
      channels,
      backlog: charging.backlog,
      lag: engine.lag,
      waitingTexts: () => tokenCounter.waitingTexts,
      bodyBytes: () => bodyBytes.held,
      eventLoopDelayMs: () => reporter.report().event_loop_delay_ms ?? 0,
      spans: () => tracing?.spans(),
    },
    services.addresses,
    config.metricsToken,
  );
  const app = await createManagementApp(services, server, readiness, metrics);
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    giveUpOnStalled(response, config.clientStallTimeoutMs);
    // A proxy that is told so sends nothing more on a connection that is about to end.
    if (isLeaving) response.shouldKeepAlive = false;
    const target = plainTarget(request.url ?? "");
    request.url = target;
    if (!hasOneHost(request)) refuseHosts(response);
    else if (isOfClientApi(target)) gateway(request, response);
    else if (MANAGEMENT.test(target)) {
      // The contract does not look at it, and some values of it would be refused before anybody could ignore them.
      request.headers["content-type"] = "application/json";
      // Also what the framework refuses before any hook, such as an address that cannot be decoded.
      response.setHeader("Cache-Control", "no-store");
      calls.add(response);
      response.once("close", () => calls.delete(response));
      app.routing(request, response);
    } else if (isMeantForClientApi(request.method ?? "", target)) gateway(request, response);
    else consoleFiles(request, response);
  };
  const guarded = guardRequests(answer, reportFailure);
  await charging.start();
  await beforeListening?.();
  server.on("request", guarded);
  if (isForEverybody) {
    if (!server.listening) await listen(server, config.host, config.port);
    address = reachableAddress(server.address() as AddressInfo, networkInterfaces());
  }
  // A database takes the operator's own process beside the nodes; files have one process.
  const socketFolder = config.database && !isForEverybody ? makeSocketFolder() : undefined;
  const operatorPath =
    config.database && isForEverybody ? undefined : operatorSocketPath(socketFolder ?? config.dataDir);
  if (operatorPath !== undefined) {
    try {
      operatorSocket = await openOperatorSocket(operatorPath, guarded);
    } catch (error) {
      if (!isForEverybody) throw error;
      logger.warn({ error: sayError(error) }, "the command tollgate cannot reach this gateway");
    }
  }
  const jobs = !isForEverybody
    ? []
    : [
        ...retentions(storage, options, now),
        closingBuckets(storage, now),
        advancingPlans({
          plans,
          read: storage.read.plans,
          write: storage.write.plans,
          notices,
          options,
          now,
        }),
        publishingPrices(priceDrafts),
        forgettingExpired(accounts.sessions, storage.write.verifications, now),
        noticeSender.job,
        syncingPrices({
          options,
          pricing,
          channels,
          audit: storage.write.audit,
          isMine: () => (livePlace?.().place ?? 0) === 0,
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
        watchingModels({
          options,
          channels,
          upstreamModels: services.upstreamModels,
          isMine: () => (livePlace?.().place ?? 0) === 0,
          logger,
          notices,
          nowMs,
        }),
        testingChannels(channelTests, options, () => (livePlace?.().place ?? 0) === 0, nowMs),
        watchingWindows(storage.read.channels, channels, now),
        watchingTypedBalances(storage.read.channels, options, notices),
        watchingMargins({
          profit: storage.read.profit,
          open: () => storage.read.notices.open(),
          notices,
          channelName: (id) => channels.nameOf(id),
          isMine: () => (livePlace?.().place ?? 0) === 0,
          now,
        }),
        askingForOrders(orders),
        ...storage.upkeep,
      ].map((job) => startJob(job, storage, reportError));

  return {
    url: isForEverybody ? addressOf(server) : "",
    server,
    operatorPath,
    setupCode,
    async stop(standIn) {
      isLeaving = standIn === undefined;
      if (isLeaving && config.leaveDelayMs > 0) await wait(config.leaveDelayMs);
      isStopping = true;
      keyProbes.stop();
      clearInterval(calendars);
      await operatorSocket.close();
      if (socketFolder !== undefined) rmSync(socketFolder, { recursive: true, force: true });
      if (standIn) {
        server.off("request", guarded);
        server.on("request", standIn);
        await relay.drain(config.drainTimeoutMs);
        const ended = Promise.all([...calls].map((response) => once(response, "close")));
        await Promise.race([ended, wait(LINGER_MS)]);
        // The management API that follows brings a listener of its own.
        server.removeAllListeners("clientError");
      } else {
        // Connections whose answers have begun end with them.
        server.keepAliveTimeout = 1;
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeIdleConnections();
        await relay.drain(config.drainTimeoutMs);
        server.closeIdleConnections();
        // Whoever keeps a connection open without using it does not hold up the end.
        const lingering = setTimeout(() => server.closeAllConnections(), LINGER_MS);
        await closed;
        clearTimeout(lingering);
      }
      await app.close();
      await transport.close();
      await tokenCounter.close();
      await rehearsals.stop();
      await stopSharingBudgets?.();
      await limits?.close?.();
      reporter.stop();
      await charging.close();
      await tracing?.close();
      const jobsEnded = Promise.all([
        notices.close(),
        noticeSender?.stop(),
        ...jobs.map((stopJob) => stopJob()),
      ]);
      // A database server may not answer any more; a file always does.
      await (engine.shared ? Promise.race([jobsEnded, wait(JOBS_END_MS)]) : jobsEnded);
      await storage.close();
    },
  };
};
