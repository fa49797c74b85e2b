import type { LimitHeaders } from "@tollgate/contract/relay/limits";
import { isAdmin } from "@tollgate/contract/values/roles";
import {
  CHANNEL_ENABLED,
  TOKEN_ENABLED,
  TOKEN_EXHAUSTED,
  TOKEN_EXPIRED,
  USER_ENABLED,
} from "@tollgate/contract/values/statuses";
import { NEVER } from "@tollgate/contract/values/time";
import { isUsedUp } from "@tollgate/metering/ledger";
import type { Refusal } from "../ports/client";
import type { ApiKey, Directory, UpstreamTarget } from "../ports/directory";
import type { RequestLimiter } from "../ports/limits";
import { groupsOf } from "../routing/choose-group";
import type { AtBudget } from "./at-budget";
import { permitsModel } from "./resolve-model";

/*
 * Admission: whether this key may make this request. One order for all requests with a key: key → owner → named channel
 * → group → address (`admit`), then model → limits (`enter`). Balances come after it, with the price
 * (`pipeline/reserve-quota.ts`).
 */

export interface Admission {
  key: ApiKey;
  /** The keys of the channel that an administrator named with `sk-<key>-<channel id>`. */
  pinned: readonly UpstreamTarget[] | undefined;
}

export const isRefusal = (value: object): value is Refusal => "code" in value;

/** The parts of the key sent by a client. */
export interface PresentedKey {
  /** "" when it is missing. */
  secret: string;
  /** The named channel, as written. */
  channel: string | undefined;
}

/**
 * Splits the key sent by a client ("sk-KEY-CHANNEL", "sk-KEY", "KEY" …; contract section 2.1).
 * @param presented without its scheme, undefined when the client sent nothing.
 */
export const splitPresented = (presented = ""): PresentedKey => {
  let rest = presented.trim();
  if (rest.startsWith("sk-")) rest = rest.slice(3);
  const dash = rest.indexOf("-");
  if (dash === -1) return { secret: rest, channel: undefined };
  const after = rest.slice(dash + 1);
  const nextDash = after.indexOf("-");
  return { secret: rest.slice(0, dash), channel: nextDash === -1 ? after : after.slice(0, nextDash) };
};

/** Why a key may not be used now; undefined when it may. @param now unix seconds. */
export const checkKey = (
  key: ApiKey,
  directory: Pick<Directory, "markKey">,
  now: number,
): Refusal | undefined => {
  if (key.status === TOKEN_EXHAUSTED) return { code: "token-exhausted" };
  if (key.status === TOKEN_EXPIRED) return { code: "token-expired" };
  if (key.status !== TOKEN_ENABLED) return { code: "token-disabled" };
  if (key.expiredTime !== NEVER && key.expiredTime < now) {
    directory.markKey(key, TOKEN_EXPIRED);
    return { code: "token-expired" };
  }
  if (isUsedUp(key.account)) {
    directory.markKey(key, TOKEN_EXHAUSTED);
    return { code: "token-exhausted" };
  }
  return key.user.status === USER_ENABLED ? undefined : { code: "user-disabled" };
};

const findPinned = (
  directory: Directory,
  user: ApiKey["user"],
  text: string,
): readonly UpstreamTarget[] | Refusal => {
  if (!isAdmin(user.role)) return { code: "channel-pin-forbidden" };
  const keys = /^\d{1,15}$/.test(text) ? directory.keysOfChannel(Number(text)) : [];
  if (keys[0] === undefined) return { code: "channel-pin-invalid" };
  return keys[0].channel.status === CHANNEL_ENABLED ? keys : { code: "channel-disabled" };
};

/** A group that the user has lost serves none of the user's keys. */
const checkGroup = (key: ApiKey, directory: Pick<Directory, "groupsOf">): Refusal | undefined =>
  key.group === undefined || directory.groupsOf(key).length > 0
    ? undefined
    : { code: "group-not-allowed", params: { group: key.group } };

/** Why a key may not be used from there. */
const checkAddress = <From>(
  { networks }: ApiKey,
  addressOf: (from: From) => string,
  from: From,
): Refusal | undefined => {
  if (!networks) return undefined;
  const address = addressOf(from);
  return networks.has(address) ? undefined : { code: "address-not-allowed", params: { address } };
};

/**
 * Checks the caller in this order: the key, its owner, the channel it names (contract section 2.1), its group, the
 * address. For every request this check comes before anything is read or revealed; when a body is read, it is repeated
 * after the body.
 * @param now unix seconds.
 * @param addressOf returns the client's address, called only when the key is bound to addresses.
 */
export const admit = <From>(
  directory: Directory,
  { secret, channel }: PresentedKey,
  now: number,
  addressOf: (from: From) => string,
  from: From,
): Admission | Refusal => {
  if (secret === "") return { code: "token-missing" };
  const key = directory.findKey(secret);
  if (!key) return { code: "token-invalid" };
  const refusal = checkKey(key, directory, now);
  if (refusal) return refusal;
  const pinned =
    channel === undefined || channel === "" ? undefined : findPinned(directory, key.user, channel);
  if (pinned && isRefusal(pinned)) return pinned;
  return checkGroup(key, directory) ?? checkAddress(key, addressOf, from) ?? { key, pinned };
};

/** Refusals of which the key's own figures are the explanation. */
const EXPLAINED: ReadonlySet<string> = new Set(["token-exhausted", "token-expired"]);

/**
 * Checks a caller that reads only figures of the presented key. A used-up or expired key may read them, because they
 * say why its requests are refused; a disabled key and a banned user may not. The group and a named channel do not
 * matter.
 */
export const admitReader = <From>(
  directory: Pick<Directory, "findKey" | "markKey">,
  { secret }: PresentedKey,
  now: number,
  addressOf: (from: From) => string,
  from: From,
): Admission | Refusal => {
  if (secret === "") return { code: "token-missing" };
  const key = directory.findKey(secret);
  if (!key) return { code: "token-invalid" };
  const refusal = checkKey(key, directory, now);
  if (refusal && !EXPLAINED.has(refusal.code)) return refusal;
  if (key.user.status !== USER_ENABLED) return { code: "user-disabled" };
  return checkAddress(key, addressOf, from) ?? { key, pinned: undefined };
};

/**
 * Checks the requested model, then the limits of the key, its owner and its groups. Every request that names a model
 * calls it once its body is parsed; later steps find the channel and the price.
 * @param asked the model, its name with an effort, either of which may be permitted, and an estimate of the prompt,
 * computed only when a limit applies. @param atBudget what answers because a budget is used up.
 * @returns a pass to release later, undefined for a request without limits, or a promise when limits are checked
 * elsewhere.
 */
export const enter = (
  { limiter, directory }: { limiter?: RequestLimiter | undefined; directory: Pick<Directory, "groupsOf"> },
  key: ApiKey,
  asked: { readonly model: string; readonly promptTokens: number; readonly effortName?: string | undefined },
  limitHeaders: LimitHeaders,
  atBudget?: AtBudget,
): ReturnType<RequestLimiter["enter"]> => {
  const { model, effortName } = asked;
  if (!permitsModel(key, model, effortName)) return { code: "model-not-allowed", params: { model } };
  const groups = atBudget?.limitedBy ?? groupsOf(directory, key);
  return limiter?.enter(key, asked, limitHeaders, groups, atBudget !== undefined);
};
