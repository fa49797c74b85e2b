import type { Server } from "node:http";
import cookie from "@fastify/cookie";
import { DOCS_PATH, OPENAPI_PATH } from "@tollgate/contract/resource/served-paths";
import { scanJson } from "@tollgate/protocols/shared/json/scan-json";
import { DatabaseRefused, StorageConflict } from "@tollgate/storage/errors";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { answerMalformed } from "../http/answer-malformed";
import { setCrossOriginHeaders } from "../http/cross-origin";
import { endAfterUpload } from "../http/refuse-upload";
import { createRequestId, REQUEST_ID_HEADER } from "../http/request-id";
import { setSecurityHeaders } from "../http/security-headers";
import { compressAnswer, hasAnswer, tagOf } from "../http/shorten-answer";
import { traceError } from "../locales/format-data-fault";
import { formatMessage, languageOf, programLanguageOf } from "../locales/languages";
import { EXPOSITION_TYPE } from "../metrics/exposition";
import type { MetricsEndpoint } from "../metrics/metrics-endpoint";
import { unknownPathBody } from "../relay-api/refusals";
import { hasField } from "./declared-field";
import { Failure } from "./failure";
import { managementRoutes } from "./management-routes";
import { PAYMENT_CALLBACK, registerPaymentCallbacks } from "./money/payment-callbacks";
import { createOpenApiDocument, undescribed } from "./openapi";
import { renderOpenApiPage } from "./openapi-page";
import { BODY_LIMIT_BYTES, DATABASE_RETRY_SECONDS, type Route, registerRoute } from "./route";
import type { Services } from "./services";

/** The escape of a NUL: a "u0000" behind an odd number of backslashes. */
const ESCAPED_NUL = /(?<!\\)(?:\\\\)*\\u0000/;

/**
 * Reads a call's body. SQLite ends a text at a NUL: the stored text would differ from the sent one.
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

/** Compresses an answer, or sends 304 to a caller that has it. Without a tag none is cached: lists contain keys. */
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
  // Besides Origin, which varies where pages of other origins may call. Answers that are not cached need no Vary.
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

/** Answers a call whose body was refused before it had arrived. */
const answerUpload = async (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> => {
  if (request.raw.complete || !(typeof payload === "string" || Buffer.isBuffer(payload))) return payload;
  reply.header("content-length", Buffer.byteLength(payload));
  return endAfterUpload(request.raw, payload);
};

/** The field that a refusal is about, if the call has it. */
const refusedField = ({ field }: Failure, request: FastifyRequest): { field?: string } => {
  const { fields } = request.routeOptions.config;
  return field !== undefined && fields && hasField(fields, field) ? { field } : {};
};

/** Answers an error thrown by a call: a refusal in the caller's language, or a failure with the id of its request. */
const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger) => {
  const language = languageOf(request.headers["accept-language"]);
  if (error instanceof Failure) {
    reply.code(error.status);
    if (error.retryAfterSeconds !== undefined) reply.header("retry-after", error.retryAfterSeconds);
    const message = formatMessage(language, error.key, error.params);
    const needs = error.key === "presence-needed" ? { needs: "presence" } : {};
    return { success: false, message, ...refusedField(error, request), ...needs };
  }
  // Storage applies the rule for money between people to every call that moves money.
  if (error instanceof StorageConflict && error.kind === "favour-refused")
    return { success: false, message: formatMessage(language, "favour-refused") };
  if (isRequestError(error)) {
    reply.code(error.statusCode);
    if (error.statusCode === TOO_LARGE) {
      const limit = request.routeOptions.bodyLimit ?? BODY_LIMIT_BYTES.none;
      return { success: false, message: formatMessage(language, "body-too-large", { limit }) };
    }
    return { success: false, message: formatMessage(language, "invalid-parameter") };
  }
  const path = request.routeOptions.url;
  logger.error({ error: traceError(error), requestId: request.id, path }, "a call failed");
  if (error instanceof DatabaseRefused) {
    reply.code(503).header("retry-after", DATABASE_RETRY_SECONDS);
    return { success: false, message: formatMessage(language, "database-silent", { requestId: request.id }) };
  }
  reply.code(500);
  return { success: false, message: formatMessage(language, "internal", { requestId: request.id }) };
};

/** Reads each body as JSON: the contract ignores Content-Type. */
const addBodyParser = (app: FastifyInstance): void => {
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
};

const addHooks = (app: FastifyInstance, allowedOrigins: Services["allowedOrigins"]): void => {
  app.addHook("onRequest", async (request, reply) => {
    setSecurityHeaders(reply.raw, { hasTurnstile: false, isPlain: false });
    reply.raw.setHeader(REQUEST_ID_HEADER, request.id);
    const isPreflight = setCrossOriginHeaders(request.raw, reply.raw, allowedOrigins);
    if (isPreflight) return reply.code(204).send();
    // Before anything is read of an unwanted body.
    return request.is404 ? reply.code(404).send(unknownPathBody(request.method, request.url)) : undefined;
  });
  app.addHook("onSend", shortenAnswer);
  app.addHook("onSend", answerUpload);
};

/** Endpoints for orchestrators and metrics collectors, outside /api. */
const addProbes = (app: FastifyInstance, readiness: () => string, metrics: MetricsEndpoint): void => {
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
      return `${formatMessage(programLanguageOf(request.headers["accept-language"]), refusal)}\n`;
    }
    reply.type(EXPOSITION_TYPE);
    return metrics.read();
  });
};

/**
 * Serves the description of all calls.
 * @param served each method and path that the app answers: one that is not described keeps tests from starting.
 */
const addDescription = async (
  app: FastifyInstance,
  routes: readonly Route[],
  served: readonly string[],
): Promise<void> => {
  const document = createOpenApiDocument(routes, [PAYMENT_CALLBACK]);
  let page: string | undefined;
  await app.after();
  const missing = undescribed(document, served);
  if (missing.length > 0) throw new Error(`not described: ${missing.join(", ")}`);
  app.get(OPENAPI_PATH, { config: { isRepeated: true } }, async () => document);
  app.get(DOCS_PATH, { config: { isRepeated: true } }, async (_request, reply) => {
    reply.type("text/html; charset=utf-8");
    // A megabyte that hardly any person asks for.
    page ??= renderOpenApiPage(document);
    return page;
  });
};

/** An app without routes, which answers malformed requests. */
const openApp = (server: Server): FastifyInstance =>
  fastify({
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

/** Everything below /api, plus health checks. Not listening by itself: requests are handed to it. */
export const createManagementApp = async (
  services: Services,
  server: Server,
  /** "ok", or the reason why no requests are accepted. */
  readiness: () => string,
  metrics: MetricsEndpoint,
): Promise<FastifyInstance> => {
  const app = openApp(server);
  const served: string[] = [];
  app.addHook("onRoute", ({ method, url }) => {
    const methods = Array.isArray(method) ? method : [method];
    if (url.startsWith("/api/")) served.push(...methods.map((each) => `${each} ${url}`));
  });
  await app.register(cookie);

  addBodyParser(app);
  addHooks(app, services.allowedOrigins);
  app.setErrorHandler(async (error, request, reply) => answerError(error, request, reply, services.logger));
  app.setNotFoundHandler(async (request, reply) => {
    reply.code(404);
    return unknownPathBody(request.method, request.url);
  });

  addProbes(app, readiness, metrics);

  const routes = managementRoutes(services);
  for (const definition of routes) registerRoute(app, definition, services);

  registerPaymentCallbacks(app, services.orders, async () => {
    await services.feed?.catchUp(false);
  });

  await addDescription(app, routes, served);
  await app.ready();
  return app;
};
