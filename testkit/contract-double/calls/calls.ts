import type { Call, Calls } from "../call";
import { channelCalls } from "./channel-calls";
import { logCalls } from "./log-calls";
import { nodeCalls } from "./node-calls";
import { orderCalls } from "./order-calls";
import { ownAccountCalls } from "./own-account-calls";
import { redemptionCalls } from "./redemption-calls";
import { signInCalls } from "./sign-in-calls";
import { siteCalls } from "./site-calls";
import { apiKeyCalls } from "./token-calls";
import { usageCalls } from "./usage-calls";
import { userCalls } from "./user-calls";

/** Every call that the double knows. */
export const CALLS: Calls = {
  ...siteCalls,
  ...signInCalls,
  ...ownAccountCalls,
  ...userCalls,
  ...channelCalls,
  ...apiKeyCalls,
  ...redemptionCalls,
  ...logCalls,
  ...usageCalls,
  ...nodeCalls,
  ...orderCalls,
};

/**
 * The call that a method and a path make.
 * @param path with or without a slash at its end
 * @returns undefined for one that the contract does not know; `id` is NaN where the path ends in a word
 */
export const findCall = (
  method: string,
  path: string,
): { call: Call; id: number; name: string } | undefined => {
  const whole = `${method} ${path.replace(/\/$/, "")}`;
  const call = CALLS[whole];
  if (call) return { call, id: Number.NaN, name: "" };
  const cut = whole.lastIndexOf("/");
  const ofOne = CALLS[`${whole.slice(0, cut)}/:id`];
  const name = whole.slice(cut + 1);
  return ofOne && { call: ofOne, id: Number(name), name };
};
