import type { Endpoint, Guard } from "@tollgate/contract/resource/endpoint";
import { ROLE_ADMIN, ROLE_ROOT, ROLE_USER } from "@tollgate/contract/values/roles";
import type * as z from "zod/mini";
import type { Dialect } from "./dialect";
import type { StoredUser } from "./stored-rows";
import type { World } from "./world";

/** The minimum role for a call; 0 for all callers. */
export const LEAST_ROLE: Readonly<Record<Guard, number>> = {
  none: 0,
  user: ROLE_USER,
  admin: ROLE_ADMIN,
  root: ROLE_ROOT,
};

/** The parameters of a call, and the double's world. */
export interface CallContext<G extends Guard, Body> {
  world: World;
  dialect: Dialect;
  caller: G extends "none" ? StoredUser | undefined : StoredUser;
  body: Body;
  query: URLSearchParams;
  /** The number at the path's end; NaN without one. */
  id: number;
  /** The text at the path's end, for records that have no number; "" without one. */
  name: string;
}

export type Reply<Data> =
  | {
      kind: "done";
      data: Data | undefined;
      /** Beside `success`, `message` and `data`. */
      more?: Record<string, unknown>;
      /** A Set-Cookie header. */
      cookie?: string;
    }
  | { kind: "refused"; chinese: string; english: string; more?: Record<string, unknown> }
  /** As to a call that the server does not know. */
  | { kind: "unknown" }
  /** An answer that has no envelope. */
  | { kind: "bare"; body: Record<string, unknown> };

/** One call of the contract: its guard, its body and its answer. */
export interface Call<G extends Guard = Guard, Body = unknown, Data = unknown> {
  guard: G;
  /** Only servers with sums over usage, receipts and nodes know it. */
  isUsage?: true;
  body?: z.ZodMiniType<Body>;
  /** HTTP status for a body that does not fit, where that is not 200. */
  invalidBodyStatus?: number;
  /** The envelope's `data`; undefined for none. */
  data?: z.ZodMiniType<Data>;
  answer: (context: CallContext<G, Body>) => Reply<NoInfer<Data>>;
  /** Deviations of unusual servers, beyond those for the objects of all calls. */
  bend?: (data: NoInfer<Data>, dialect: Dialect) => unknown;
}

/** Calls by "METHOD path", as `GET /api/token/:id`: without a slash at the end, which both forms mean. */
export type Calls = Readonly<Record<string, Call>>;

/** The body as it travels: a codec names the fields differently inside. */
const wireSchemaOf = (body: z.ZodMiniType): z.ZodMiniType =>
  "in" in body.def ? (body as z.ZodMiniCodec<z.ZodMiniType>).def.in : body;

const nameOf = ({ method, path }: Endpoint): string =>
  `${method} ${path.replaceAll(/:\w+/g, ":id").replace(/\/$/, "")}`;

type Answers<G extends Guard, Body, Data> = Omit<Call<G, Body, Data>, "guard" | "body" | "invalidBodyStatus">;

/** Implements a declared call: its path, its guard and its body follow from the declaration. */
export const answers = <G extends Guard, Query extends string, Body, SentBody, Data = undefined>(
  endpoint: Endpoint<string, G, Query, Body, SentBody>,
  definition: Answers<G, SentBody, Data>,
): Calls => ({
  [nameOf(endpoint as unknown as Endpoint)]: {
    ...(definition as unknown as Call),
    guard: endpoint.guard,
    ...(endpoint.body && { body: wireSchemaOf(endpoint.body as z.ZodMiniType) }),
    ...(endpoint.invalidBodyStatus && { invalidBodyStatus: endpoint.invalidBodyStatus }),
  },
});

export const done = <Data = undefined>(data?: Data, more: Record<string, unknown> = {}): Reply<Data> => ({
  kind: "done",
  data,
  more,
});

export const refuse = (
  chinese: string,
  english: string,
  more: Record<string, unknown> = {},
): Reply<never> => ({ kind: "refused", chinese, english, more });

/** One-api's refusal for a missing row. */
export const MISSING = refuse("record not found", "record not found");
