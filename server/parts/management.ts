import type { IncomingMessage } from "node:http";
import { ROLE_ROOT } from "@tollgate/contract/values/roles";
import { readAllowedOrigins } from "../http/allowed-origins";
import { createClientAddresses } from "../http/client-address";
import { RateLimit } from "../http/rate-limit";
import { createUpstreamAccountReader } from "../management-api/channels/upstream-account";
import type { Services } from "../management-api/services";
import { createCodeExchanges } from "../management-api/sign-in/code-exchanges";
import { createOfferedProviders } from "../management-api/sign-in/offered-providers";
import { prepareRoot } from "../management-api/sign-in/prepare-root";
import { RootSetup } from "../management-api/sign-in/root-setup";
import { derivedCodes, drawnCodes } from "../management-api/sign-in/setup-codes";
import { SignInLimits } from "../management-api/sign-in/sign-in-limits";
import { createTurnstile } from "../management-api/sign-in/turnstile";
import { createOperator } from "../operator/operator";
import type { Foundation } from "./foundation";
import type { People } from "./people";
import type { Relaying } from "./relaying";
import type { Sales } from "./sales";
import type { Upstreams } from "./upstreams";

/** Windows in which calls of /api are counted (contract section 0.7). */
const GLOBAL_WINDOW_MS = 180_000;
const CRITICAL_WINDOW_MS = 1_200_000;

interface Parts {
  foundation: Foundation;
  people: People;
  relaying: Relaying;
  upstreams: Upstreams;
  sales: Sales;
}

/**
 * The services that the routes of /api work with, and the code that sets root's first password.
 * @param isOperators whether a request came over the operator's socket.
 */
export const openManagement = async (
  { foundation, people, relaying, upstreams, sales }: Parts,
  isOperators: (request: IncomingMessage) => boolean,
) => {
  const { config, course, engine, storage, secrets, options, logger, now, nowMs, liveNodes } = foundation;
  const { mailer, notices, noticeSender, accounts, plans, channels } = people;
  const { relay, limiter, pricing, groupAccess } = relaying;
  const rootSetup = new RootSetup(
    config.allowsDefaultPassword,
    engine.shared ? derivedCodes((text) => secrets.hash(text)) : drawnCodes(),
    (userId) => accounts.users.find(userId)?.passwordHash,
  );
  const setupCode = course.isForEverybody
    ? await prepareRoot({ accounts, storage }, rootSetup, config, nowMs())
    : undefined;
  const rateLimits = {
    global: new RateLimit(config.globalApiRateLimit, GLOBAL_WINDOW_MS, liveNodes),
    critical: new RateLimit(config.criticalRateLimit, CRITICAL_WINDOW_MS, liveNodes),
  };
  const root = await storage.read.users.findByRole(ROLE_ROOT);
  const offeredProviders = createOfferedProviders(storage.read.signInProviders, nowMs, (error) =>
    logger.warn({ err: error }, "the sign-in providers could not be read"),
  );
  await offeredProviders.refresh();
  const services: Services = {
    ...upstreams,
    ...sales,
    channelUse: (targets) => relay.channelUse(targets),
    limiter,
    speedsOf: (targets) => relay.speedsOf(targets),
    storage,
    accounts,
    plans,
    channels,
    options,
    pricing,
    groupAccess,
    secrets,
    addresses: createClientAddresses(config.trustedProxies, (proxy) =>
      logger.warn(
        { proxy },
        "requests come through a proxy that TRUSTED_PROXIES does not name: all of its visitors share one rate limit",
      ),
    ),
    allowedOrigins: readAllowedOrigins(config.allowedOrigins),
    operator: createOperator(isOperators, accounts.users, root?.id),
    rateLimits,
    upstreamAccounts: createUpstreamAccountReader(),
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
    offeredProviders,
    turnstile: createTurnstile(options, config.turnstileUrl),
    logger,
    nodes: engine.nodes,
    feed: engine.shared?.feed,
    startTime: now(),
    now,
  };
  return { services, setupCode };
};
