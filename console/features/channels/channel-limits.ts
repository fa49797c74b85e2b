import type { ChannelLimits } from "@tollgate/contract/management/channel-limits";
import * as z from "zod/mini";
import { limitText, limitToText } from "../../lib/limit-fields";

/** Limits of a channel as its form holds them; "" is none. */
export interface ChannelLimitFields {
  rpm: string;
  tpm: string;
  concurrency: string;
  keyRpm: string;
  keyTpm: string;
  keyConcurrency: string;
}

/** In the order in which they stand: of the channel, then of each key. */
export const CHANNEL_LIMITS = ["rpm", "tpm", "concurrency"] as const;
export const KEY_LIMITS = ["keyRpm", "keyTpm", "keyConcurrency"] as const;

export const NO_CHANNEL_LIMITS: ChannelLimitFields = {
  rpm: "",
  tpm: "",
  concurrency: "",
  keyRpm: "",
  keyTpm: "",
  keyConcurrency: "",
};

/** For the schema of the form. */
export const channelLimitSchema = z.object({
  rpm: limitText,
  tpm: limitText,
  concurrency: limitText,
  keyRpm: limitText,
  keyTpm: limitText,
  keyConcurrency: limitText,
});

export const toChannelLimitFields = (limits: ChannelLimits): ChannelLimitFields => ({
  rpm: limitToText(limits.rpm),
  tpm: limitToText(limits.tpm),
  concurrency: limitToText(limits.concurrency),
  keyRpm: limitToText(limits.keyRpm),
  keyTpm: limitToText(limits.keyTpm),
  keyConcurrency: limitToText(limits.keyConcurrency),
});

/** What is sent: the limits that differ from `before`, 0 for one that was taken away. Other servers know none of them. */
export const changedChannelLimits = (
  fields: ChannelLimitFields,
  before: ChannelLimitFields,
): ChannelLimits => {
  const changed: ChannelLimits = {};
  for (const name of [...CHANNEL_LIMITS, ...KEY_LIMITS]) {
    const limit = Number(fields[name].trim());
    if (limit !== Number(before[name].trim())) changed[name] = limit;
  }
  return changed;
};

export const hasLimits = (fields: ChannelLimitFields): boolean =>
  Object.values(fields).some((limit) => limit !== "");
