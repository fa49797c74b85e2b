import type * as z from "zod/mini";
import type { PermissionArea } from "../management/permission-areas";
import type { FilterKinds } from "./list-filter";
import type { ValueOf, WireFormat } from "./resource";

export type Guard = "none" | "user" | "admin" | "root";
export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The names of the parameters in a path: "/api/plan/:id" has "id". */
export type PathParameter<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParameter<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The resources whose answers clients keep until one of their calls changes them. */
export type Resource =
  | "about"
  | "announcements"
  | "attention"
  | "audit"
  | "channels"
  | "connect-templates"
  | "groups"
  | "home-content"
  | "identities"
  | "invitations"
  | "invoices"
  | "ledger"
  | "logs"
  | "management-keys"
  | "missing-prices"
  | "model-status"
  | "nodes"
  | "notice"
  | "notice-threshold"
  | "notice-targets"
  | "options"
  | "order-details"
  | "order-quotes"
  | "order-terms"
  | "orders"
  | "own-order"
  | "passkeys"
  | "permission-sets"
  | "plans"
  | "price-drafts"
  | "price-rules"
  | "pricing"
  | "profit"
  | "promotion-uses"
  | "promotions"
  | "receipts"
  | "reconciliations"
  | "redemption-uses"
  | "redemptions"
  | "second-factor"
  | "sent-notices"
  | "sessions"
  | "setup"
  | "sign-in-providers"
  | "statements"
  | "status"
  | "subscriptions"
  | "terms"
  | "tickets"
  | "tokens"
  | "usable-groups"
  | "usage"
  | "users";

/** One call of the management API: everything that server, clients, description and tests know of it. */
export interface Endpoint<
  Path extends string = string,
  G extends Guard = Guard,
  Query extends string = string,
  Body = unknown,
  SentBody = unknown,
  Data = unknown,
> {
  readonly method: Method;
  /** As clients write it. The server serves it with and without a slash at its end. */
  readonly path: Path;
  readonly guard: G;
  /** The area of an administrators' call; of several, one suffices. Sets of permissions are made of them. */
  readonly area?: PermissionArea | readonly PermissionArea[];
  /** Short description of the call, for the API's documentation. */
  readonly summary: string;
  /** The meaning of its query parameters, for the API's description. */
  readonly query?: Readonly<Record<Query, string>>;
  /** The columns by which it sorts the rows that it answers, where its query says so (list-sort.ts). */
  readonly sorts?: readonly string[];
  /** The columns by which it narrows them (list-filter.ts). */
  readonly filters?: FilterKinds;
  readonly body?: z.ZodMiniType<Body, SentBody>;
  /** The envelope's `data`; undefined for none. */
  readonly data?: WireFormat<Data>;
  /** `data` describes the whole envelope instead, where the contract has fields beside its `data`. */
  readonly isEnvelope?: boolean;
  /** Answers a file to save, and an envelope only where it refuses to. */
  readonly isFile?: boolean;
  /** For guests as well, unless the site is set to refuse them. */
  readonly mayRefuseGuests?: boolean;
  /** Of an account's security: refused to management keys, whatever rights they have. */
  readonly isForPeople?: boolean;
  /** Also limited by the critical bucket: a password or a code could be guessed with it. */
  readonly isCritical?: boolean;
  /**
   * Gives away money, secrets or other people's data: refused to a session whose owner did not sign in, or confirm the
   * presence, a short while ago. Access tokens pass.
   */
  readonly needsPresence?: boolean;
  /** A GET that changes something, as the contract has it: refused when another site's page makes it. */
  readonly changesState?: boolean;
  /** The same for long: sent with an entity tag, and not again to clients that have it. */
  readonly isRepeated?: boolean;
  /** HTTP status for a body that does not fit; 200 like every business error, unless the contract says otherwise. */
  readonly invalidBodyStatus?: number;
  /** Bytes that a body may have where the bound of its guard does not fit. */
  readonly bodyLimitBytes?: number;
  /** The resource that it reads: clients that keep its answers ask again when the resource has changed. */
  readonly reads?: Resource;
  /** The resources that it changes. */
  readonly changes?: readonly Resource[];
}

/** Areas of a call; see `Endpoint.area`. */
type Areas = PermissionArea | readonly PermissionArea[];

interface Declare {
  <
    const Path extends string,
    const Query extends string = never,
    Body = undefined,
    SentBody = undefined,
    Data = undefined,
  >(
    declaration: Endpoint<Path, "admin", Query, Body, SentBody, Data> & { readonly area: Areas },
  ): Endpoint<Path, "admin", Query, Body, SentBody, Data>;
  <
    const Path extends string,
    const G extends Exclude<Guard, "admin">,
    const Query extends string = never,
    Body = undefined,
    SentBody = undefined,
    Data = undefined,
  >(
    declaration: Endpoint<Path, G, Query, Body, SentBody, Data>,
  ): Endpoint<Path, G, Query, Body, SentBody, Data>;
}

/** Declares a call; its types follow from the values. An administrators' call without an area does not compile. */
export const endpoint: Declare = /* @__NO_SIDE_EFFECTS__ */ <Declaration>(
  declaration: Declaration,
): Declaration => declaration;

/** Whether the owner of a session must be at the browser: also for files of the whole site, which administrators save. */
export const asksForPresence = ({
  needsPresence,
  isFile,
  guard,
}: Pick<Endpoint, "needsPresence" | "isFile" | "guard">): boolean =>
  needsPresence ?? (isFile === true && (guard === "admin" || guard === "root"));

/** The parameter of calls that answer a list by pages. */
export const PAGE_PARAMETER = { p: "The page, from 0." } as const;

/** The parameter of searches that answer by pages as lists do; without it they answer all rows. */
export const FOUND_PAGE_PARAMETER = { p: "The page, from 0; all rows without it." } as const;

/** The parameter of searches of which a few rows are enough. */
export const LIMIT_PARAMETER = { limit: "The maximum number of rows." } as const;

/** The parameter of lists that the server sorts by one of `sorts`. */
export const SORT_PARAMETER = {
  sort: "The column to sort by, with a minus sign before it for descending order. Default: the newest first.",
} as const;

/** The parameter of calls that may change a status alone. */
export const STATUS_ONLY_PARAMETER = { status_only: "Not empty: only `status` of the body counts." } as const;

/** The parameter of calls about one request. */
export const REQUEST_ID_PARAMETER = {
  request_id: "The request's id, from the header of its answer.",
} as const;

/** The value that the answer of an endpoint carries; undefined where it carries none. */
export type DataOf<E extends Endpoint> = ValueOf<NonNullable<E["data"]>>;

/** An object with the one property, or with none where its value would be undefined. */
type Required<Name extends string, Value> = [Value] extends [undefined] ? object : { [N in Name]: Value };
type ParametersOf<Name extends string> = [Name] extends [never] ? undefined : Record<Name, string | number>;

type QueryOf<Name extends PropertyKey> = [Name] extends [never]
  ? undefined
  : { [N in Name]?: string | number | boolean };

/** Everything that one call of an endpoint must and may bring. */
export type CallOf<E extends Endpoint> = Required<"params", ParametersOf<PathParameter<E["path"]>>> &
  Required<"body", z.input<NonNullable<E["body"]>>> & { query?: QueryOf<keyof NonNullable<E["query"]>> };

/** The parts of a call of any endpoint. */
interface AnyCall extends Pick<EndpointRequest, "query" | "body"> {
  params?: Readonly<Record<string, string | number>>;
}

/** A call as a client sends it. */
export interface EndpointRequest {
  method: Method;
  path: string;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: unknown;
}

/** The path of an endpoint with the values of its parameters. */
export const pathOf = (
  { path }: Pick<Endpoint, "path">,
  params: Readonly<Record<string, string | number>> = {},
): string => path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));

/** Builds the request of a call of an endpoint. */
export const requestOf = <E extends Endpoint>({ method, path }: E, call: CallOf<E>): EndpointRequest => {
  const { params, query, body }: AnyCall = call;
  return {
    method,
    path: pathOf({ path }, params),
    ...(query && { query }),
    ...(body === undefined ? {} : { body }),
  };
};
