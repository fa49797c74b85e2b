import type { Readable } from "node:stream";
import type { Accounts } from "@tollgate/accounts/accounts";
import type { User } from "@tollgate/accounts/users";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import {
  areasOf,
  kindOf,
  type PermissionArea,
  type PermissionKind,
  type Permissions,
  permits,
  permitsCall,
} from "@tollgate/contract/management/permission-areas";
import { commonPermissions } from "@tollgate/contract/management/permission-set";
import type { ManagementKeyRecord } from "@tollgate/contract/records/management-key-record";
import {
  asksForPresence,
  type Endpoint,
  type Guard,
  type PathParameter,
} from "@tollgate/contract/resource/endpoint";
import { type FilterKinds, type ListFilter, readListFilter } from "@tollgate/contract/resource/list-filter";
import { type ListSort, readListSort } from "@tollgate/contract/resource/list-sort";
import { ROLE_ADMIN, ROLE_ROOT, ROLE_USER, type Role } from "@tollgate/contract/values/roles";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import { waitSeconds } from "@tollgate/relay/limits/waiting";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod/mini";
import type { RateLimit } from "../http/rate-limit";
import { isOriginAllowed } from "../http/same-origin";
import { takesGzip } from "../http/shorten-answer";
import type { MessageKey } from "../locales/catalogue";
import { formatMessage, type Language, languageOf } from "../locales/languages";
import { fieldAt } from "./declared-field";
import { Failure } from "./failure";
import { issueSentence } from "./issue-sentence";
import { checkKey, isManagementKey, readManagementKey, rightsOf } from "./management-key-access";
import { permissionMissing, permissionsOf } from "./permissions";
import type { Services } from "./services";
import { checkPresence } from "./sign-in/fresh-sign-in";

declare module "fastify" {
  interface FastifyContextConfig {
    /** HTTP status for a body that does not fit or is no JSON. */
    invalidBodyStatus?: number;
    /** Whether its answer has an entity tag. */
    isRepeated?: boolean;
    /** Its body and its query, whose fields a refusal may name. */
    fields?: Pick<Route, "body" | "query">;
  }
}

const LEAST_ROLE = { none: 0, user: ROLE_USER, admin: ROLE_ADMIN, root: ROLE_ROOT } as const;

/**
 * Maximum size of a call's body, in bytes. A caller who is not signed in sends at most a form; an administrator's
 * largest call is a channel with a thousand keys.
 */
export const BODY_LIMIT_BYTES: Readonly<Record<Guard, number>> = {
  none: 64 * 1024,
  user: 1024 * 1024,
  admin: 4 * 1024 * 1024,
  root: 4 * 1024 * 1024,
};

/** The caller of a route; undefined is possible only without a guard. */
export type Caller<G extends Guard> = G extends "none" ? User | undefined : User;

export interface RouteContext<G extends Guard, B> {
  services: Services;
  caller: Caller<G>;
  body: B;
  /** Path parameters. */
  params: Record<string, string>;
  /** Query parameters; a repeated one counts once. */
  query: Record<string, string>;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Whether the caller's rights include this one. The call's own right was checked before. */
  permits(area: PermissionArea, kind: PermissionKind): boolean;
  /** Whether the caller presents a management key, which reveals and changes no credentials. */
  isByKey: boolean;
  /** The caller's role; with a management key an administrator's at most, because a key decides nothing in root's place. */
  rank: Role;
  /** The caller's. */
  language: Language;
  /** Returns a sentence in the caller's language. */
  formatMessage(key: MessageKey, params?: Record<string, string | number>): string;
}

/** A declared call, and how it is answered. */
export interface Route<G extends Guard = Guard, B = unknown>
  extends Omit<Endpoint<string, G, string, B>, "data" | "reads" | "changes"> {
  /** Schema of the envelope's `data`; undefined without data. */
  data?: z.ZodMiniType;
  /** @returns the envelope's `data`; undefined leaves it out. For more than data: a `SpecialAnswer`. */
  answer(context: RouteContext<G, B>): Promise<unknown> | unknown;
}

/** When to ask again where the database does not answer: a server that starts again is back so soon. */
export const DATABASE_RETRY_SECONDS = 2;

/** An envelope with more than `data`: the contract's top-level extras. */
export class Answer {
  constructor(readonly fields: Record<string, unknown>) {}
}

/** An envelope whose data is already JSON: a long list encoded by another thread. */
export class EncodedData {
  constructor(readonly json: string) {}
}

/** A complete, encoded envelope, sent only to callers that do not have it yet. */
export class KeptAnswer {
  /** @param etag identifies the content; with its quotes. @param zipped the same, by gzip. */
  constructor(
    readonly json: string,
    readonly zipped: Buffer,
    readonly etag: string,
  ) {}
}

/** Sends an already compressed answer; the hook of all answers checks whether the caller has it. */
const sendKept = ({ json, zipped, etag }: KeptAnswer, request: FastifyRequest, reply: FastifyReply) => {
  reply.header("etag", etag).type("application/json; charset=utf-8");
  if (!takesGzip(request.headers)) return reply.send(json);
  return reply.header("content-encoding", "gzip").send(zipped);
};

/** A file to save, written while it is read; a client that leaves ends it. */
export class FileAnswer {
  constructor(
    readonly stream: Readable,
    readonly name: string,
    readonly contentType: string,
  ) {}
}

/** An answer that is more than the envelope's data, or no envelope. */
export type SpecialAnswer = Answer | EncodedData | KeptAnswer | FileAnswer;

const isSpecial = (answer: unknown): answer is SpecialAnswer =>
  [Answer, EncodedData, KeptAnswer, FileAnswer].some((special) => answer instanceof special);

/** A path parameter named `id` is a whole number, 0 if invalid; every other one is text. */
type PathValues<Path extends string> = {
  readonly [Name in PathParameter<Path>]: Name extends "id" ? number : string;
};

/** The call that a handler answers. */
export interface EndpointContext<Path extends string, G extends Guard, Query extends string, Body>
  extends Omit<RouteContext<G, Body>, "params" | "query"> {
  params: PathValues<Path>;
  query: Readonly<Partial<Record<Query, string>>>;
}

const readPathValues = (params: Record<string, string>): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, name === "id" ? readInteger(value) : value]),
  );

/**
 * Makes the route of a declared endpoint.
 * @param answer the data of the envelope, which the declaration's format encodes
 */
export const implement = <Path extends string, G extends Guard, Query extends string, Body, Sent, Data>(
  endpoint: Endpoint<Path, G, Query, Body, Sent, Data>,
  answer: (
    context: EndpointContext<Path, G, Query, Body>,
  ) => Promise<Data | SpecialAnswer> | Data | SpecialAnswer,
): Route => ({
  ...endpoint,
  path: endpoint.path.replace(/\/$/, ""),
  data: endpoint.data?.schema,
  async answer(context) {
    const { params, query } = context;
    const read = { ...context, params: readPathValues(params), query };
    // The declaration names the parameters, and the route that serves it reads them by these names.
    const answered = await answer(read as unknown as EndpointContext<Path, G, Query, Body>);
    if (isSpecial(answered)) return answered;
    const encoded = endpoint.data?.encode(answered);
    return endpoint.isEnvelope ? new Answer({ ...Object(encoded) }) : encoded;
  },
});

/** The user of the session cookie, undefined without a live session. */
export const readSessionUser = (
  { sessions, users }: Accounts,
  request: FastifyRequest,
  now: number,
): User | undefined => {
  const cookie = request.cookies.session;
  const session = cookie === undefined ? undefined : sessions.find(cookie, now);
  return session && users.find(session.userId);
};

/** The caller, identified by a browser's cookie or by a program's access token. */
interface KnownCaller {
  user: User | undefined;
  isByCookie: boolean;
  /** The management key of a caller who presents one. */
  key?: ManagementKeyRecord;
}

/** The case of a scheme does not matter (RFC 9110, section 11.1). */
const presentedToken = (header: string): string => header.replace(/^\s*bearer /i, "").trim();

/** The caller: the local operator, else by session, else by access token (contract section 0.6) or management key. */
const readCaller = async (services: Services, request: FastifyRequest): Promise<KnownCaller> => {
  const { accounts, operator, now } = services;
  if (operator.makes(request.raw)) return { user: operator.actsFor(request.raw), isByCookie: false };
  const user = readSessionUser(accounts, request, now());
  if (user) return { user, isByCookie: true };
  const header = request.headers.authorization;
  if (header === undefined) return { user: undefined, isByCookie: false };
  const token = presentedToken(header);
  if (isManagementKey(token))
    return { ...(await readManagementKey(services, token, request)), isByCookie: false };
  const owner = accounts.users.findByAccessToken(token);
  if (!owner) throw new Failure("access-token-invalid");
  return { user: owner, isByCookie: false };
};

/** Format of session ids and access tokens (accounts/random-text.ts). */
const SESSION_ID = /^[\w-]{43}$/;
const ACCESS_TOKEN = /^[0-9a-f]{32}$/;

const isKnownCaller = (accounts: Accounts, request: FastifyRequest, now: number): boolean =>
  readSessionUser(accounts, request, now) !== undefined ||
  accounts.users.findByAccessToken(presentedToken(request.headers.authorization ?? "")) !== undefined;

/** Whether another node may have issued the caller's credentials a moment ago. */
const mayBeNew = ({ sessions, users }: Accounts, request: FastifyRequest, now: number): boolean => {
  const cookie = request.cookies.session;
  if (cookie !== undefined && SESSION_ID.test(cookie)) return sessions.find(cookie, now) === undefined;
  const token = presentedToken(request.headers.authorization ?? "");
  return ACCESS_TOKEN.test(token) && users.findByAccessToken(token) === undefined;
};

/** The caller of a route open to guests; undefined for a guest. Another node may have signed them in a moment ago. */
export const readMaybeCaller = async (
  services: Services,
  request: FastifyRequest,
): Promise<User | undefined> => {
  const { accounts, feed, now } = services;
  if (feed && mayBeNew(accounts, request, now())) await feed.catchUp(false);
  const { user, key } = await readCaller(services, request);
  if (user) checkCaller(user, "user", services.operator.makes(request.raw));
  checkKey(key, { method: "GET", guard: "user" });
  return user;
};

/** The refusal of a call whose caller cannot be known, because this node does not hear the changes of others. */
const databaseSilent = ({ id }: FastifyRequest): Failure =>
  new Failure("database-silent", { requestId: id }, 503, DATABASE_RETRY_SECONDS);

const NOBODY: KnownCaller = { user: undefined, isByCookie: false };

/** @param isOperator whether the local operator acts for the caller, which is allowed for disabled users, too. */
const checkCaller = (caller: User | undefined, guard: Guard, isOperator: boolean): void => {
  if (guard === "none") return;
  if (!caller) throw new Failure("not-signed-in", {}, 401);
  if (caller.status !== USER_ENABLED && !isOperator) throw new Failure("user-disabled");
  if (caller.role < LEAST_ROLE[guard]) throw new Failure("role-too-low");
};

const rankOf = ({ user, key }: KnownCaller): Role => {
  const { role = ROLE_USER } = user ?? {};
  return key && role > ROLE_ADMIN ? ROLE_ADMIN : role;
};

/** @throws Failure unless the caller's rights include the call. */
const checkPermissions = (services: Services, { user, key }: KnownCaller, definition: Route): Permissions => {
  checkKey(key, definition);
  if (!user) return undefined;
  const own = permissionsOf(services, user);
  if (!permitsCall(own, definition)) throw permissionMissing(areasOf(definition)[0], kindOf(definition));
  if (!key) return own;
  const common = commonPermissions(own, rightsOf(key));
  if (permitsCall(common, definition)) return common;
  const permission = `${areasOf(definition)[0] ?? ""}:${kindOf(definition)}`;
  throw new Failure("permission-missing-key", { permission });
};

const readBody = (definition: Route, body: unknown, language: Language): unknown => {
  if (!definition.body) return undefined;
  const parsed = definition.body.safeParse(body, { error: issueSentence[language] });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const status = definition.invalidBodyStatus ?? 200;
  if (!issue || issue.path.length === 0) throw new Failure("invalid-parameter", {}, status);
  const params = { field: issue.path.join("."), reason: issue.message };
  throw new Failure("invalid-field", params, status).at(fieldAt(definition, issue.path));
};

const readQuery = (query: unknown): Record<string, string> => {
  const read: Record<string, string> = {};
  for (const [key, value] of Object.entries(query ?? {})) {
    const single: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof single === "string") read[key] = single;
  }
  return read;
};

/** A whole number of a path or query; anything else counts as 0 (contract section 0.2). */
export const readInteger = (text: string | undefined): number => {
  const value = Number(text);
  return text !== undefined && text.trim() !== "" && Number.isSafeInteger(value) ? value : 0;
};

/** The page that a list call asks for; 0 for anything unusable. */
export const readPage = (query: Record<string, string>): number => Math.max(0, readInteger(query.p));

/**
 * The order requested by a list call; undefined for the default.
 * @throws Failure for a column without sorting: rows in another order would mislead the caller.
 */
export const readSort = <Column extends string>(
  query: { readonly sort?: string },
  columns: readonly Column[],
): ListSort<Column> | undefined => {
  if (query.sort === undefined || query.sort === "") return undefined;
  const sort = readListSort(query.sort, columns);
  if (!sort) throw new Failure("invalid-sort", { columns: columns.join(", ") });
  return sort;
};

/** The page and the order that a list call asks for, as storage takes them. @throws Failure as readSort. */
export const readListPage = <Column extends string>(
  query: Record<string, string>,
  columns: readonly Column[],
): [offset: number, limit: number, sort: ListSort<Column> | undefined] => [
  readPage(query) * PAGE_SIZE,
  PAGE_SIZE,
  readSort(query, columns),
];

/**
 * A list's filter in the query.
 * @throws Failure for a value that no row can have.
 */
export const readFilter = <Column extends string>(
  query: { readonly [Name in NoInfer<Column>]?: string },
  kinds: FilterKinds<Column>,
): ListFilter<Column> => {
  const { filter, unfit } = readListFilter(query, kinds);
  if (unfit.length > 0) throw new Failure("invalid-parameter");
  return filter;
};

/** Counts a call. @throws Failure with status 429 when the address has to wait. */
export const takeCall = (limit: RateLimit, address: string): void => {
  const waitMs = limit.take(address, Date.now());
  if (waitMs > 0) throw new Failure("too-many-requests", {}, 429, waitSeconds(waitMs));
};

const checkLimits = (
  { rateLimits, addresses, operator }: Services,
  definition: Route,
  request: FastifyRequest,
): void => {
  if (operator.makes(request.raw)) return;
  const address = addresses.subscriberOf(request.raw);
  takeCall(rateLimits.global, address);
  if (definition.isCritical) takeCall(rateLimits.critical, address);
};

/** Waits for changes of other nodes that the call needs. @throws Failure while the caller's rights are unknown here. */
const hearOthers = async (
  { feed, accounts, now }: Services,
  { guard, method, changesState }: Route,
  request: FastifyRequest,
): Promise<void> => {
  if (!feed) return;
  const isGuest = guard === "none";
  const isChange = method !== "GET" || changesState === true;
  // They may have been banned meanwhile.
  if (feed.isDeaf() && (!isGuest || isChange)) throw databaseSilent(request);
  const isKnown = !isGuest && isKnownCaller(accounts, request, now());
  // A caller that changes something finds earlier changes, on whichever node: the account made just now, the key to edit.
  const isWaiting = isKnown || isGuest ? isChange : mayBeNew(accounts, request, now());
  const isCaughtUp = !isWaiting || (await feed.catchUp(isKnown));
  // Whether the credentials are valid is unknown: a browser that is refused would sign its user out.
  if (!isCaughtUp && !isGuest && mayBeNew(accounts, request, now())) throw databaseSilent(request);
};

/** Registers a route with its limits, its guard, its body's schema and the envelope. */
export const registerRoute = (app: FastifyInstance, definition: Route, services: Services): void => {
  const isGuest = definition.guard === "none";
  const identify = async (request: FastifyRequest): Promise<KnownCaller> =>
    isGuest ? NOBODY : readCaller(services, request);
  app.route({
    method: definition.method,
    url: definition.path,
    bodyLimit: definition.bodyLimitBytes ?? BODY_LIMIT_BYTES[definition.guard],
    config: {
      invalidBodyStatus: definition.invalidBodyStatus ?? 200,
      isRepeated: definition.isRepeated ?? false,
      fields: definition,
    },
    // Before the body: nothing is read for a refused caller.
    async onRequest(request) {
      checkLimits(services, definition, request);
      await hearOthers(services, definition, request);
      const known = await identify(request);
      const { user: caller, isByCookie } = known;
      // A page of another site can use a browser's cookie, and can sign its visitor in; it cannot know an access token.
      if (
        (isGuest || isByCookie) &&
        !isOriginAllowed(request.raw, definition.changesState ?? false, services.allowedOrigins)
      ) {
        const { origin = "", host = "" } = request.headers;
        throw new Failure("origin-refused", { origin, host }, 403);
      }
      checkCaller(caller, definition.guard, services.operator.makes(request.raw));
      checkPermissions(services, known, definition);
      if (caller && asksForPresence(definition)) checkPresence(services, caller, request);
    },
    async handler(request, reply) {
      const language = languageOf(request.headers["accept-language"]);
      // Checked again: a caller who sends a body slowly may have been banned meanwhile.
      const known = await identify(request);
      const { user: caller } = known;
      checkCaller(caller, definition.guard, services.operator.makes(request.raw));
      const permissions = checkPermissions(services, known, definition);
      const result = await definition.answer({
        services,
        caller: caller as User,
        body: readBody(definition, request.body, language),
        params: request.params as Record<string, string>,
        query: readQuery(request.query),
        request,
        reply,
        isByKey: known.key !== undefined,
        rank: rankOf(known),
        permits: (area, kind) => permits(permissions, area, kind),
        language,
        formatMessage: (key, params) => formatMessage(language, key, params),
      });
      if (result instanceof Answer) return { success: true, message: "", ...result.fields };
      if (result instanceof EncodedData) {
        reply.type("application/json; charset=utf-8");
        return `{"success":true,"message":"","data":${result.json}}`;
      }
      if (result instanceof KeptAnswer) return sendKept(result, request, reply);
      if (result instanceof FileAnswer) {
        reply.header("content-disposition", `attachment; filename="${result.name}"`).type(result.contentType);
        return reply.send(result.stream);
      }
      return result === undefined
        ? { success: true, message: "" }
        : { success: true, message: "", data: result };
    },
  });
};
