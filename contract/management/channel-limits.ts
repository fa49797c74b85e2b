import * as z from "zod/mini";
import {
  type LimitsOf,
  type LimitValuesOf,
  limitBodies,
  limitOf,
  pickDeclaredLimits,
  setLimitsOf,
} from "../resource/limits";
import { TIME_LIMITS } from "./time-limits";

/**
 * Limits of requests to a channel's upstream, with their names on the wire, where only set ones are present. Beyond the
 * contract.
 */
export const CHANNEL_LIMITS = {
  /** Requests in a minute, tokens in a minute (read and written), and requests at the same time: of all its keys together. */
  rpm: limitOf("rpm"),
  tpm: limitOf("tpm"),
  concurrency: limitOf("concurrency"),
  /** The same of each of its keys. */
  keyRpm: limitOf("key_rpm"),
  keyTpm: limitOf("key_tpm"),
  keyConcurrency: limitOf("key_concurrency"),
  /** Seconds that its upstream may take. */
  ...TIME_LIMITS,
};

/** Undefined where nothing is limited. In an edit undefined stays, and 0 takes away. */
export interface ChannelLimits extends LimitsOf<typeof CHANNEL_LIMITS> {}
type ChannelLimitValues = LimitValuesOf<typeof CHANNEL_LIMITS>;

/** Current use of a channel's limits, and the number of waiting requests. */
export const channelUseSchema = z.object({
  id: z.int(),
  /** In this minute, of all keys together. */
  requests: z.int(),
  tokens: z.int(),
  /** At the same time. */
  active: z.int(),
  waiting: z.int(),
});
export type ChannelUse = z.infer<typeof channelUseSchema>;

export const channelLimitBody = limitBodies(CHANNEL_LIMITS);

/** The limits of an object that has them among its other fields, as they are in an edit. */
export const pickChannelLimits = (values: ChannelLimits): ChannelLimitValues =>
  pickDeclaredLimits(CHANNEL_LIMITS, values);

/** Returns the set limits: 0 means no limit. */
export const readChannelLimits = (values: ChannelLimits): ChannelLimitValues =>
  setLimitsOf(CHANNEL_LIMITS, values);
