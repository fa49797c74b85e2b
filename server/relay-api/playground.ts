import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import fastifyCookie from "@fastify/cookie";
import type { Accounts } from "@tollgate/accounts/accounts";
import type { Asked } from "@tollgate/contract/relay/client-api";
import { PLAYGROUND_BASE, PLAYGROUND_GROUP_HEADER } from "@tollgate/contract/values/playground";
import type { Refusal } from "@tollgate/relay/ports/client";
import type { ApiKey } from "@tollgate/relay/ports/directory";
import type { AllowedOrigins } from "../http/allowed-origins";
import { setCrossOriginHeaders } from "../http/cross-origin";
import { failRequest } from "../http/fail-request";
import { refuseUpload } from "../http/refuse-upload";
import { createRequestId, REQUEST_ID_HEADER } from "../http/request-id";
import { isOriginAllowed } from "../http/same-origin";
import { programLanguageOf } from "../locales/languages";
import { ADDRESSES } from "./address-book";
import { apiOf } from "./client-terms";
import { createGateway, type GatewaySettings } from "./gateway";
import { mediaTypeOf } from "./media-type";
import { describeAndReport } from "./refusals";

/** Dependencies of the playground beside those of the gateway that serves its requests. */
export interface PlaygroundSettings {
  accounts: Pick<Accounts, "sessions" | "users" | "playgroundKeys">;
  /** Whether the site offers it. */
  isOffered(): boolean;
  /** Origins of other consoles of this gateway. */
  allowedOrigins: AllowedOrigins;
}

/** The session of a request, and the group that it chose; undefined for the groups of its user. */
interface PlaygroundCaller {
  session: string;
  group: string | undefined;
}

const BASE = `${PLAYGROUND_BASE}/`;

/** Format of session ids (accounts/random-text.ts). */
const SESSION_ID = /^[\w-]{43}$/;

/** A group's name has at most 64 characters, each of which may be escaped as 12. */
const MAX_GROUP_LENGTH = 768;

/** What a page does with models. The figures of a key are of no use there: no key is stored. */
const SERVED: ReadonlySet<Asked["kind"]> = new Set(["chat", "count", "operation", "models", "model"]);

const CROSS_ORIGIN_HEADERS = {
  sent: `, Accept-Language, ${PLAYGROUND_GROUP_HEADER}`,
  read: `${REQUEST_ID_HEADER}, Retry-After`,
} as const;

/** Whether a target is one of the playground. */
export const isOfPlayground = (target: string): boolean => target.startsWith(BASE);

/** @returns undefined for a text that is no escaped name. */
const readGroup = (header: string): string | undefined => {
  if (header.length > MAX_GROUP_LENGTH) return undefined;
  try {
    return decodeURIComponent(header);
  } catch {
    return undefined;
  }
};

/** The refusal of a request that the console's page did not make; undefined for the page's requests. */
const checkPage = (request: IncomingMessage, allowedOrigins: AllowedOrigins): Refusal | undefined => {
  const { method = "", headers, url = "" } = request;
  const isOwn = isOriginAllowed(request, true, allowedOrigins);
  const isJson = method !== "POST" || mediaTypeOf(headers["content-type"]) === "application/json";
  if (!isOwn || !isJson || headers[PLAYGROUND_GROUP_HEADER] === undefined)
    return { code: "playground-foreign" };
  const [path = "", query = ""] = url.split("?", 2);
  const asked = ADDRESSES.resolve(method, path, query).found?.asked;
  return asked && SERVED.has(asked.kind)
    ? undefined
    : { code: "not-found", params: { target: `${method} ${PLAYGROUND_BASE}${path}` } };
};

const readCaller = ({ headers }: IncomingMessage): PlaygroundCaller | Refusal => {
  const { session = "" } = fastifyCookie.parse(headers.cookie ?? "");
  if (!SESSION_ID.test(session)) return { code: "session-missing" };
  const group = readGroup(String(headers[PLAYGROUND_GROUP_HEADER]));
  if (group === undefined) return { code: "playground-foreign" };
  return { session, group: group === "" ? undefined : group };
};

/**
 * Serves the client APIs to the console's own page, by the session of its user (decision 22). It only identifies the
 * caller: a second gateway with another directory of keys does the rest, so that admission, limits, holds, charges and
 * the log are those of any request.
 *
 * A page of another site cannot make its visitor pay: the origin must be this console's, the header of the group needs
 * a preflight, which is refused, and bodies must be JSON.
 */
export const createPlayground = (
  { noteUse: _, ...settings }: GatewaySettings,
  { accounts, isOffered, allowedOrigins }: PlaygroundSettings,
): ((request: IncomingMessage, response: ServerResponse) => void) => {
  /**
   * Callers of current requests, by a secret that only this process knows. It takes the place of an API key, so that
   * the gateway checks session and user at the same moments as it checks a key: before and after it reads the body.
   */
  const callers = new Map<string, PlaygroundCaller>();
  const describers = describeAndReport(settings.onRefused);

  const findUser = (session: string) => {
    const found = accounts.sessions.find(session, Math.floor(settings.now() / 1000));
    return found && accounts.users.find(found.userId);
  };

  const findKey = (secret: string): ApiKey | undefined => {
    const caller = callers.get(secret);
    const user = caller && findUser(caller.session);
    return user && accounts.playgroundKeys.of(user, caller.group);
  };

  const gateway = createGateway({ ...settings, directory: { ...settings.directory, findKey } });

  const refuse = (request: IncomingMessage, response: ServerResponse, refusal: Refusal): void => {
    if (response.destroyed) return;
    const requestId = createRequestId(settings.now());
    const error = describers[programLanguageOf(request.headers["accept-language"])](refusal);
    const { protocol } = apiOf(request, request.url ?? "");
    const body = JSON.stringify(protocol.encodeError(error, requestId));
    refuseUpload(request, response, error.status, { [REQUEST_ID_HEADER]: requestId }, body);
  };

  const serve = (request: IncomingMessage, response: ServerResponse, caller: PlaygroundCaller): void => {
    if (response.destroyed) return;
    if (!findUser(caller.session)) {
      refuse(request, response, { code: "session-missing" });
      return;
    }
    const secret = randomBytes(24).toString("hex");
    callers.set(secret, caller);
    response.once("close", () => callers.delete(secret));
    const { headers } = request;
    headers.authorization = `Bearer ${secret}`;
    // Neither has a meaning below: the gateway opens its answers to all origins that name themselves.
    delete headers.cookie;
    delete headers.origin;
    gateway(request, response);
  };

  return (request, response) => {
    request.url = (request.url ?? "").slice(PLAYGROUND_BASE.length);
    response.setHeader("cache-control", "no-store");
    response.setHeader("x-content-type-options", "nosniff");
    if (setCrossOriginHeaders(request, response, allowedOrigins, CROSS_ORIGIN_HEADERS)) {
      response.writeHead(204);
      response.end();
      return;
    }
    const caller = isOffered()
      ? (checkPage(request, allowedOrigins) ?? readCaller(request))
      : ({ code: "playground-off" } as const);
    if ("code" in caller) {
      refuse(request, response, caller);
      return;
    }
    const { catchUp } = settings;
    if (!catchUp || findUser(caller.session)) {
      serve(request, response, caller);
      return;
    }
    // Another node may have begun the session a moment ago.
    catchUp()
      .then((isCaughtUp) => {
        if (isCaughtUp) serve(request, response, caller);
        else refuse(request, response, { code: "node-not-admitting" });
      })
      .catch((error: Error) => {
        settings.reportError(error);
        failRequest(response);
      });
  };
};
