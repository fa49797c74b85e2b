import { CHANNEL_LIMITS, type ChannelLimits } from "@tollgate/contract/management/channel-limits";
import * as z from "zod/mini";
import {
  changedLimitsOf,
  type FieldsOf,
  limitSchemas,
  limitsToFields,
  noLimits,
} from "../../lib/limit-fields";

/** Limits of a channel as its form holds them; "" is none. */
export interface ChannelLimitFields extends FieldsOf<typeof CHANNEL_LIMITS> {}

/** In the order in which they stand: of the channel, then of each key. */
export const LIMITS_OF_ALL_KEYS = ["rpm", "tpm", "concurrency"] as const;
export const LIMITS_OF_EACH_KEY = ["keyRpm", "keyTpm", "keyConcurrency"] as const;

export const NO_CHANNEL_LIMITS: ChannelLimitFields = noLimits(CHANNEL_LIMITS);

/** For the schema of the form. */
export const channelLimitSchema = z.object(limitSchemas(CHANNEL_LIMITS));

export const toChannelLimitFields = (limits: ChannelLimits): ChannelLimitFields =>
  limitsToFields(CHANNEL_LIMITS, limits);

/** What is sent: the limits that differ from `before`, 0 for one that was taken away. */
export const changedChannelLimits = (fields: ChannelLimitFields, before: ChannelLimitFields): ChannelLimits =>
  changedLimitsOf(CHANNEL_LIMITS, fields, before);

export const hasLimits = (fields: ChannelLimitFields): boolean =>
  Object.values(fields).some((limit) => limit !== "");
