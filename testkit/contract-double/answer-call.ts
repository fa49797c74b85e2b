import type * as z from "zod/mini";
import { bendData } from "./bend-answer";
import { type Call, LEAST_ROLE, type Reply, refuse } from "./call";
import { findCall } from "./calls/calls";
import type { Dialect } from "./dialect";
import type { StoredUser } from "./stored-rows";
import type { World } from "./world";

export interface Arrival {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  caller: StoredUser | undefined;
}

export interface Sent {
  status: number;
  cookie?: string;
  body: Record<string, unknown>;
}

const NOT_SIGNED_IN = refuse("无权进行此操作，未登录且未提供 access token", "not logged in");
const ROLE_TOO_LOW = refuse("无权进行此操作，权限不足", "not permitted");

const faultOf = (error: z.core.$ZodError, root: string): string =>
  error.issues
    .slice(0, 3)
    .map((issue) => {
      const what = issue.code === "unrecognized_keys" ? `unknown ${issue.keys.join(", ")}` : issue.code;
      return `${[root, ...issue.path].join(".")}: ${what}`;
    })
    .join("; ");

/** @throws Error that names the field where the double's own answer violates the contract. */
const checkData = (name: string, call: Call, data: unknown): void => {
  if (data === undefined && !call.data) return;
  const checked = call.data?.safeParse(data);
  if (checked?.success) return;
  const fault = checked ? faultOf(checked.error, "data") : "data where the contract has none";
  throw new Error(`The double's answer to ${name} breaks the contract. ${fault}`);
};

/** Encodes a reply for clients of this dialect. */
const sendable = (
  name: string,
  call: Call,
  reply: Exclude<Reply<unknown>, { kind: "unknown" }>,
  dialect: Dialect,
): Sent => {
  if (reply.kind === "bare") return { status: 200, body: reply.body };
  if (reply.kind === "refused") {
    const message = dialect.isEnglish ? reply.english : reply.chinese;
    return { status: 200, body: { success: false, message, ...reply.more } };
  }
  checkData(name, call, reply.data);
  const data = reply.data !== undefined && call.bend ? call.bend(reply.data, dialect) : reply.data;
  return {
    status: 200,
    ...(reply.cookie === undefined ? {} : { cookie: reply.cookie }),
    body: {
      success: true,
      ...(dialect.successMessage === undefined ? {} : { message: dialect.successMessage }),
      ...(data === undefined ? {} : { data: bendData(data, dialect) }),
      ...reply.more,
    },
  };
};

const refuseUnknown = ({ method, path }: Arrival): Sent => ({
  status: 404,
  body: { error: { message: `Invalid URL (${method} ${path})` } },
});

/**
 * Answers one call of /api. Unknown paths and invalid bodies are refused.
 * @throws Error when the double itself violates the contract
 */
export const answerCall = (arrival: Arrival, world: World, dialect: Dialect): Sent => {
  const { method, path, query, caller } = arrival;
  const found = findCall(method, path);
  if (!found || (found.call.isUsage && !dialect.hasUsage)) return refuseUnknown(arrival);
  const { call, id, name } = found;
  const send = (reply: Reply<unknown>): Sent =>
    reply.kind === "unknown" ? refuseUnknown(arrival) : sendable(`${method} ${path}`, call, reply, dialect);
  if (call.guard !== "none" && !caller) return { ...send(NOT_SIGNED_IN), status: 401 };
  if ((caller?.role ?? 0) < LEAST_ROLE[call.guard]) return send(ROLE_TOO_LOW);
  const body = call.body?.safeParse(arrival.body);
  if (body && !body.success) {
    const fault = faultOf(body.error, "body");
    const refusal = refuse(`无效的参数：${fault}`, `invalid parameter: ${fault}`);
    return { ...send(refusal), status: call.invalidBodyStatus ?? 200 };
  }
  // A call without a guard still gets a signed-in caller; for all others the checks above require one.
  return send(
    call.answer({ world, dialect, caller: caller as StoredUser, body: body?.data, query, id, name }),
  );
};
