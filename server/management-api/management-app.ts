import type { Server } from "node:http";
import cookie from "@fastify/cookie";
import { scanJson } from "@tollgate/protocols/shared/json/scan-json";
import { DatabaseRefused, StorageConflict } from "@tollgate/storage/errors";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { answerMalformed } from "../http/answer-malformed";
import { setCrossOriginHeaders } from "../http/cross-origin";
import { createRequestId, REQUEST_ID_HEADER } from "../http/request-id";
import { setSecurityHeaders } from "../http/security-headers";
import { compressAnswer, hasAnswer, tagOf } from "../http/shorten-answer";
import { traceError } from "../locales/format-data-fault";
import { languageOf, programLanguageOf, say } from "../locales/languages";
import { EXPOSITION_TYPE } from "../metrics/exposition";
import type { MetricsEndpoint } from "../metrics/metrics-endpoint";
import { unknownPathBody } from "../relay-api/refusals";
import { buyingPriceRoutes } from "./channels/buying-price.routes";
import { channelRoutes } from "./channels/channel.routes";
import { upstreamRoutes } from "./channels/upstream.routes";
import { Failure } from "./failure";
import { bodyRoutes } from "./logs/body.routes";
import { exportRoutes } from "./logs/export.routes";
import { logRoutes } from "./logs/log.routes";
import { receiptRoutes } from "./logs/receipt.routes";
import { usageRoutes } from "./logs/usage.routes";
import { invitationRoutes } from "./money/invitation.routes";
import { ledgerRoutes } from "./money/ledger.routes";
import { orderRoutes } from "./money/order.routes";
import { PAYMENT_CALLBACK, registerPaymentCallbacks } from "./money/payment-callbacks";
import { planRoutes } from "./money/plan.routes";
import { profitRoutes } from "./money/profit.routes";
import { reconciliationRoutes } from "./money/reconciliation.routes";
import { redemptionRoutes } from "./money/redemption.routes";
import { statementRoutes } from "./money/statement.routes";
import { createOpenApiDocument, undescribed } from "./openapi";
import { renderOpenApiPage } from "./openapi-page";
import { groupRoutes } from "./prices/group.routes";
import { priceRoutes } from "./prices/price.routes";
import { priceDraftRoutes } from "./prices/price-draft.routes";
import { priceRuleRoutes } from "./prices/price-rule.routes";
import { pricingRoutes } from "./prices/pricing.routes";
import { BODY_LIMIT_BYTES, DATABASE_RETRY_SECONDS, registerRoute } from "./route";
import type { Services } from "./services";
import { oauthRoutes } from "./sign-in/oauth.routes";
import { registerRoutes } from "./sign-in/register.routes";
import { setupRoutes } from "./sign-in/setup.routes";
import { announcementRoutes } from "./site/announcement.routes";
import { attentionRoutes } from "./site/attention.routes";
import { auditRoutes } from "./site/audit.routes";
import { configurationRoutes } from "./site/configuration.routes";
import { modelStatusRoutes } from "./site/model-status.routes";
import { nodeRoutes } from "./site/node.routes";
import { noticeRoutes } from "./site/notice.routes";
import { optionRoutes } from "./site/option.routes";
import { statusRoutes } from "./site/status.routes";
import { limitRoutes } from "./users/limit.routes";
import { tokenRoutes } from "./users/token.routes";
import { userRoutes } from "./users/user.routes";
import { userAdminRoutes } from "./users/user-admin.routes";

/** The escape of a NUL: a "u0000" behind an odd number of backslashes. */
const ESCAPED_NUL = /(?<!\\)(?:\\\\)*\\u0000/;

/**
 * Reads a call's body. SQLite ends a text at a NUL: what was sent would not be what is kept.
 * @throws Failure
 */
const readCallBody = (body: Buffer): unknown => {
  if (scanJson(body)) throw new Failure("body-too-complex", {}, 400);
  const text = body.toString("utf8");
  if (text.includes("\\u0000") && ESCAPED_NUL.test(text)) throw new Failure("invalid-parameter");
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure("invalid-parameter");
  }
};

const isRequestError = (error: unknown): error is Error & { statusCode: number } =>
  error instanceof Error &&
  "statusCode" in error &&
  typeof error.statusCode === "number" &&
  error.statusCode < 500;

const TOO_LARGE = 413;

/**
 * Sends an answer compressed, and not again to a caller that has it. What is not the same for long stands in no cache: lists
 * carry keys.
 */
const shortenAnswer = async (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> => {
  const isRepeated = request.routeOptions.config.isRepeated && reply.statusCode === 200;
  if (isRepeated && typeof payload === "string" && !reply.hasHeader("etag"))
    reply.header("etag", tagOf(payload));
  const tag = reply.getHeader("etag");
  reply.header("cache-control", tag === undefined ? "no-store" : "private, no-cache");
  // Beside the origin, which is named where pages of other origins may call. What no cache keeps varies for none.
  if (tag !== undefined)
    reply.raw.appendHeader("vary", "Accept-Encoding, Accept-Language, Authorization, Cookie");
  if (typeof tag === "string" && hasAnswer(request.headers, tag)) {
    reply.code(304).removeHeader("content-encoding").removeHeader("content-type");
    return null;
  }
  if (typeof payload !== "string") return payload;
  const zipped = await compressAnswer(request.headers, payload);
  if (zipped) reply.header("content-encoding", "gzip").header("content-length", zipped.length);
  return zipped ?? payload;
};

/** Everything below /api, plus health checks. Not listening by itself: requests are handed to it. */
export const createManagementApp = async (
  services: Services,
  server: Server,
  /** "ok", or why no requests are taken. */
  readiness: () => string,
  metrics: MetricsEndpoint,
): Promise<FastifyInstance> => {
  const app = fastify({
    serverFactory: () => server,
    routerOptions: { ignoreTrailingSlash: true },
    bodyLimit: BODY_LIMIT_BYTES.none,
    logger: false,
    // A path that cannot even be decoded is a path that does not exist.
    frameworkErrors: (_error, request, reply) => {
      setSecurityHeaders(reply.raw, { hasTurnstile: false, isPlain: false });
      reply.raw.writeHead(404, {
        "content-type": "application/json; charset=utf-8",
        [REQUEST_ID_HEADER]: request.id,
      });
      reply.raw.end(JSON.stringify(unknownPathBody(request.method, request.url)));
    },
    clientErrorHandler: answerMalformed,
    genReqId: () => createRequestId(Date.now()),
    exposeHeadRoutes: false,
  });
  const served: string[] = [];
  app.addHook("onRoute", ({ method, url }) => {
    const methods = Array.isArray(method) ? method : [method];
    if (url.startsWith("/api/")) served.push(...methods.map((each) => `${each} ${url}`));
  });
  await app.register(cookie);

  // The contract does not look at Content-Type: every body is JSON.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (request, body: Buffer, done) => {
    if (body.length === 0) {
      done(null, undefined);
      return;
    }
    try {
      done(null, readCallBody(body));
    } catch (error) {
      const status = request.routeOptions.config.invalidBodyStatus;
      done(error instanceof Failure ? new Failure(error.key, error.params, status) : (error as Error));
    }
  });

  app.addHook("onRequest", async (request, reply) => {
    setSecurityHeaders(reply.raw, { hasTurnstile: false, isPlain: false });
    reply.raw.setHeader(REQUEST_ID_HEADER, request.id);
    const isPreflight = setCrossOriginHeaders(request.raw, reply.raw, services.allowedOrigins);
    if (isPreflight) return reply.code(204).send();
    // Before anything is read of an unwanted body.
    return request.is404 ? reply.code(404).send(unknownPathBody(request.method, request.url)) : undefined;
  });

  app.addHook("onSend", shortenAnswer);

  app.setErrorHandler(async (error, request, reply) => {
    const language = languageOf(request.headers["accept-language"]);
    if (error instanceof Failure) {
      reply.code(error.status);
      if (error.retryAfterSeconds !== undefined) reply.header("retry-after", error.retryAfterSeconds);
      return { success: false, message: say(language, error.key, error.params) };
    }
    // Storage applies the rule for money between people to every call that moves money.
    if (error instanceof StorageConflict && error.kind === "favour-refused")
      return { success: false, message: say(language, "favour-refused") };
    if (isRequestError(error)) {
      reply.code(error.statusCode);
      if (error.statusCode === TOO_LARGE) {
        const limit = request.routeOptions.bodyLimit ?? BODY_LIMIT_BYTES.none;
        return { success: false, message: say(language, "body-too-large", { limit }) };
      }
      return { success: false, message: say(language, "invalid-parameter") };
    }
    const path = request.routeOptions.url;
    services.logger.error({ error: traceError(error), requestId: request.id, path }, "a call failed");
    if (error instanceof DatabaseRefused) {
      reply.code(503).header("retry-after", DATABASE_RETRY_SECONDS);
      return { success: false, message: say(language, "database-silent", { requestId: request.id }) };
    }
    reply.code(500);
    return { success: false, message: say(language, "internal", { requestId: request.id }) };
  });

  app.setNotFoundHandler(async (request, reply) => {
    reply.code(404);
    return unknownPathBody(request.method, request.url);
  });

  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const status = readiness();
    if (status !== "ok") reply.code(503);
    return { status };
  });

  app.get("/metrics", async (request, reply) => {
    const refusal = metrics.refusal(request.raw);
    if (refusal) {
      reply.code(403).type("text/plain; charset=utf-8");
      return `${say(programLanguageOf(request.headers["accept-language"]), refusal)}\n`;
    }
    reply.type(EXPOSITION_TYPE);
    return metrics.read();
  });

  const routes = [
    ...statusRoutes,
    ...setupRoutes,
    ...userRoutes,
    ...registerRoutes,
    ...oauthRoutes(services),
    ...userAdminRoutes(),
    ...channelRoutes,
    ...upstreamRoutes,
    ...tokenRoutes,
    ...limitRoutes,
    ...groupRoutes,
    ...redemptionRoutes,
    ...planRoutes,
    ...logRoutes,
    ...receiptRoutes,
    ...bodyRoutes,
    ...usageRoutes,
    ...profitRoutes,
    ...buyingPriceRoutes,
    ...reconciliationRoutes,
    ...exportRoutes,
    ...optionRoutes,
    ...configurationRoutes(services),
    ...auditRoutes,
    ...announcementRoutes,
    ...attentionRoutes(services),
    ...ledgerRoutes,
    ...invitationRoutes,
    ...statementRoutes,
    ...modelStatusRoutes(services),
    ...nodeRoutes,
    ...priceRoutes(services),
    ...priceDraftRoutes,
    ...priceRuleRoutes,
    ...pricingRoutes(services),
    ...noticeRoutes(services),
    ...orderRoutes,
  ];
  for (const definition of routes) registerRoute(app, definition, services);

  registerPaymentCallbacks(app, services.orders, async () => {
    await services.feed?.catchUp(false);
  });

  const document = createOpenApiDocument(routes, [PAYMENT_CALLBACK]);
  let page: string | undefined;
  await app.after();
  // What tests start is described, or does not start.
  const missing = undescribed(document, served);
  if (missing.length > 0) throw new Error(`not described: ${missing.join(", ")}`);
  app.get("/api/openapi.json", { config: { isRepeated: true } }, async () => document);
  app.get("/api/docs", { config: { isRepeated: true } }, async (_request, reply) => {
    reply.type("text/html; charset=utf-8");
    // A megabyte that hardly any person asks for.
    page ??= renderOpenApiPage(document);
    return page;
  });
  await app.ready();
  return app;
};
