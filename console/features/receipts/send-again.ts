import { getApiKey, listApiKeys } from "@tollgate/contract/api/api-keys";
import type { Receipt } from "@tollgate/contract/api/receipts";
import { TOKEN_ENABLED } from "@tollgate/contract/values/statuses";
import { addressOf, explain } from "../../lib/api-client";
import { bearerKey } from "../../lib/bearer-key";
import { callEndpoint } from "../../lib/call-endpoint";
import type { WholeRequest } from "./whole-request";

/** A key of the reader's. */
export interface OwnKey {
  /** "sk-…" */
  key: string;
  name: string;
}

/** The key of the request if it is the reader's and enabled, else another enabled one; null without any. */
export const findOwnKey = async (
  { user_id: userId, token_id: keyId }: Receipt,
  readerId: number | undefined,
  signal: AbortSignal,
): Promise<OwnKey | null> => {
  const isOwn = userId !== undefined && userId === readerId && keyId !== undefined && keyId > 0;
  const same = isOwn
    ? await callEndpoint(getApiKey, { params: { id: keyId } }, signal).catch(() => undefined)
    : undefined;
  const keys =
    same?.status === TOKEN_ENABLED ? [same] : await callEndpoint(listApiKeys, { query: { p: 0 } }, signal);
  const found = keys.find(({ status }) => status === TOKEN_ENABLED);
  return found ? { key: bearerKey(found.key), name: found.name } : null;
};

/** What became of a request that was sent again. */
export interface SentAgain {
  status: number;
  /** Undefined where the page may not read it. */
  requestId: string | undefined;
  /** The answer's sentence, if it is a refusal. */
  message: string;
}

/** So much of a refusal is read. */
const MAX_REFUSAL = 20_000;

const readRefusal = (text: string): string => {
  try {
    return explain(JSON.parse(text));
  } catch {
    return "";
  }
};

/**
 * Sends a stored request again, as a program would: with the same admission, routing and charge. The answer is read to
 * its end and not kept.
 * @param channel the number of the only channel to ask, which administrators may name; "" for the usual routing.
 */
export const sendAgain = async (
  { path, text }: WholeRequest,
  { key }: OwnKey,
  channel: string,
  signal: AbortSignal,
): Promise<SentAgain> => {
  const response = await fetch(addressOf(path), {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}${channel === "" ? "" : `-${channel}`}`,
      "content-type": "application/json",
    },
    credentials: "omit",
    body: text,
    signal,
  });
  const requestId = response.headers.get("x-oneapi-request-id") ?? undefined;
  if (!response.ok) {
    const refusal = (await response.text()).slice(0, MAX_REFUSAL);
    return { status: response.status, requestId, message: readRefusal(refusal) };
  }
  const reader = response.body?.getReader();
  while (reader && !(await reader.read()).done);
  return { status: response.status, requestId, message: "" };
};
