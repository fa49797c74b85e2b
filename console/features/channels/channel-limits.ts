import { CHANNEL_LIMITS, type ChannelLimits } from "@tollgate/contract/management/channel-limits";
import * as z from "zod/mini";
import {
  changedLimitsOf,
  type FieldsOf,
  limitSchemas,
  limitsToFields,
  noLimits,
} from "../../lib/limit-fields";

/** Limits of a channel as form fields; "" for none. */
export interface ChannelLimitFields extends FieldsOf<typeof CHANNEL_LIMITS> {}

/** In display order: of the channel, then of each key. */
export const LIMITS_OF_ALL_KEYS = ["rpm", "tpm", "concurrency"] as const;
export const LIMITS_OF_EACH_KEY = ["keyRpm", "keyTpm", "keyConcurrency"] as const;
/** Limits of time: of streams, then of requests that think and of answers without streaming. */
export const TIMES_OF_STREAMS = ["headersSeconds", "firstTokenSeconds", "tokenGapSeconds"] as const;
export const OTHER_TIMES = ["thinkingSeconds", "wholeAnswerSeconds"] as const;

export const NO_CHANNEL_LIMITS: ChannelLimitFields = noLimits(CHANNEL_LIMITS);

/** The form's limits by their names on the wire. */
export const LIMIT_WIRE_NAMES: Readonly<Record<string, `limits.${keyof ChannelLimitFields}`>> =
  Object.fromEntries(
    (Object.keys(CHANNEL_LIMITS) as (keyof ChannelLimitFields)[]).map((inner) => [
      CHANNEL_LIMITS[inner].name,
      `limits.${inner}` as const,
    ]),
  );

/** Limits in the form's schema. */
export const channelLimitSchema = z.object(limitSchemas(CHANNEL_LIMITS));

export const toChannelLimitFields = (limits: ChannelLimits): ChannelLimitFields =>
  limitsToFields(CHANNEL_LIMITS, limits);

/** Limits to send: those that differ from `before`, 0 for a removed one. */
export const changedChannelLimits = (fields: ChannelLimitFields, before: ChannelLimitFields): ChannelLimits =>
  changedLimitsOf(CHANNEL_LIMITS, fields, before);

/** Whether any of these limits is set. */
export const hasLimits = (
  fields: ChannelLimitFields,
  names: readonly (keyof ChannelLimitFields)[],
): boolean => names.some((name) => fields[name] !== "");
