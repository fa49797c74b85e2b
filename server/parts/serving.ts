import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { createConsoleFiles } from "../console-files";
import { guardRequests } from "../http/fail-request";
import { giveUpOnStalled } from "../http/give-up-on-stalled";
import { hasOneHost, refuseHosts } from "../http/one-host";
import { createManagementApp } from "../management-api/management-app";
import type { Services } from "../management-api/services";
import { createMetricsEndpoint } from "../metrics/metrics-endpoint";
import { createModelViews } from "../prices/model-views";
import { isMeantForClientApi, plainTarget } from "../relay-api/address-book";
import { readBilling } from "../relay-api/billing";
import { BodyBytes } from "../relay-api/body-bytes";
import { BodyLog } from "../relay-api/body-log";
import { isOfClientApi } from "../relay-api/client-terms";
import { createGateway, type GatewaySettings } from "../relay-api/gateway";
import { createKeyReads } from "../relay-api/key-reads";
import { createPlayground, isOfPlayground } from "../relay-api/playground";
import { RefusalLimits } from "../relay-api/refusal-limits";
import { yieldToOthers } from "../yield-to-others";
import type { Closing } from "./closing";
import type { Foundation } from "./foundation";
import type { People } from "./people";
import type { Relaying } from "./relaying";

/** Timeout of a stop for answers that are not relayed. */
const LINGER_MS = 1000;

/** Timeout for a request's head, from the connection's begin; a body has longer (Node's own five minutes). */
const HEAD_TIMEOUT_MS = 20_000;
const CONNECTIONS_CHECK_MS = 5_000;

/** Targets that the management API answers. */
const MANAGEMENT = /^\/(?:api|healthz|readyz|metrics(?:[/?]|$))/;

/** The answer of `/readyz` while nothing can be charged. */
const READINESS = {
  "storage-failing": "storage failing",
  "node-not-admitting": "database not answering",
} as const;

interface Parts {
  foundation: Foundation;
  people: People;
  relaying: Relaying;
  services: Services;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** What requests of the client API need, whether they have a key or a session. */
const gatewaySettings = (
  { foundation, relaying, services }: Parts,
  bodyBytes: BodyBytes,
  reportFailure: (error: Error) => void,
): GatewaySettings => {
  const { config, course, engine, storage, options, logger, nowMs } = foundation;
  const { directory, relay, counters, charging, tracing, chargingFault, keyNetworks } = relaying;
  const { channels, pricing, groupAccess } = services;
  const feed = engine.shared?.feed;
  return {
    directory,
    modelViews: createModelViews({
      book: pricing.book,
      find: pricing.find,
      groupsOf: groupAccess.groupsOf,
      modelsOf: (group) => channels.modelsOf(group),
      candidates: (group, model) => channels.candidates(group, model),
      showsPrices: () => options.text("PricePage") !== "off",
      yieldToOthers,
      changing: services,
    }),
    relay,
    bodyLog: new BodyLog({
      bodies: storage.bodies,
      options,
      now: nowMs,
      reportLoss: (count, reason) => logger.warn({ count, reason }, "bodies were not stored"),
    }),
    bodyLimitBytes: config.bodyLimitBytes,
    bodyBytes,
    refusalLimits: new RefusalLimits({
      perMinute: () => options.number("RefusalsPerMinute"),
      now: nowMs,
      subscriberOf: (request) => services.addresses.subscriberOf(request),
    }),
    onRefused: (code) => counters.refused(code),
    noteRefused: (record) => charging.charges.noteRefused(record),
    tracer: tracing?.tracer,
    takeCall: (request) => services.rateLimits.global.take(services.addresses.subscriberOf(request), nowMs()),
    addressOf: (request) => services.addresses.of(request),
    noteUse: (keyId, request) => keyNetworks.note(keyId, services.addresses.of(request)),
    catchUp: feed && (() => feed.catchUp(false)),
    keyReads: createKeyReads({
      read: storage.read,
      options,
      limiter: services.limiter,
      groupsOf: groupAccess.groupsOf,
      now: nowMs,
    }),
    readBilling: (key, kind) => readBilling(storage.read, options, key, kind),
    reportError: reportFailure,
    now: nowMs,
    isStopping: () => course.isStopping,
    chargingFault,
  };
};

/** The management API with its readiness and metrics. */
const openManagementApp = async (
  { foundation, people, relaying, services }: Parts,
  bodyBytes: BodyBytes,
  server: Server,
) => {
  const { config, course, engine, reporter } = foundation;
  const { counters, relay, charging, chargingFault, tokenCounter, tracing } = relaying;
  const readiness = (): string => {
    if (course.isLeaving) return "stopping";
    const fault = chargingFault();
    return fault ? READINESS[fault] : "ok";
  };
  const metrics = createMetricsEndpoint(
    counters,
    {
      isReady: () => readiness() === "ok",
      relay,
      channels: people.channels,
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
  return createManagementApp(services, server, readiness, metrics);
};

/** Cuts unfinished answers, and closes the connections unless another listener takes them over. */
const endRequests = async (
  { config, course }: Foundation,
  { relay }: Relaying,
  server: Server,
  answer: Answer,
  calls: ReadonlySet<ServerResponse>,
): Promise<void> => {
  if (course.standIn) {
    server.off("request", answer);
    server.on("request", course.standIn);
    await relay.drain(config.drainTimeoutMs);
    const ended = Promise.all([...calls].map((response) => once(response, "close")));
    await Promise.race([ended, wait(LINGER_MS)]);
    // The management API that follows brings its own listener.
    server.removeAllListeners("clientError");
    return;
  }
  // Connections with begun answers close after them.
  server.keepAliveTimeout = 1;
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await relay.drain(config.drainTimeoutMs);
  server.closeIdleConnections();
  // A client that keeps a connection open without using it does not hold up the end.
  const lingering = setTimeout(() => server.closeAllConnections(), LINGER_MS);
  await closed;
  clearTimeout(lingering);
};

/** The HTTP server with everything behind it; it does not listen yet. */
export const openServing = async (parts: Parts, given: Server | undefined, closing: Closing) => {
  const { foundation, relaying, services } = parts;
  const { config, files, course, options, logger } = foundation;
  const reportFailure = (error: Error): void => logger.error({ error: error.stack }, "a request failed");
  const bodyBytes = new BodyBytes(config.bodiesLimitBytes);
  const settings = gatewaySettings(parts, bodyBytes, reportFailure);
  /** The client API: every address of /v1 and its kin. */
  const gateway = createGateway(settings);
  const playground = createPlayground(settings, {
    accounts: services.accounts,
    isOffered: () => options.isOn("PlaygroundEnabled"),
    allowedOrigins: services.allowedOrigins,
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
  /** Unfinished answers of the management API. */
  const calls = new Set<ServerResponse>();
  const app = await openManagementApp(parts, bodyBytes, server);
  closing.add(() => app.close());
  const answer = guardRequests((request: IncomingMessage, response: ServerResponse): void => {
    giveUpOnStalled(response, config.clientStallTimeoutMs);
    // With this header a proxy sends no more requests on a connection that is about to close.
    if (course.isLeaving) response.shouldKeepAlive = false;
    const target = plainTarget(request.url ?? "");
    request.url = target;
    if (!hasOneHost(request)) refuseHosts(response);
    else if (isOfClientApi(target)) gateway(request, response);
    else if (MANAGEMENT.test(target)) {
      // The contract ignores it, and some values would be refused before they could be ignored.
      request.headers["content-type"] = "application/json";
      // Also for requests that the framework refuses before any hook, such as an undecodable address.
      response.setHeader("Cache-Control", "no-store");
      calls.add(response);
      response.once("close", () => calls.delete(response));
      app.routing(request, response);
    } else if (isOfPlayground(target)) playground(request, response);
    else if (isMeantForClientApi(request.method ?? "", target)) gateway(request, response);
    else consoleFiles(request, response);
  }, reportFailure);
  closing.add(() => endRequests(foundation, relaying, server, answer, calls));
  return { server, answer };
};
