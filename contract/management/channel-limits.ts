import * as z from "zod/mini";
import {
  type LimitsOf,
  type LimitValuesOf,
  limitBodies,
  limitOf,
  pickDeclaredLimits,
  setLimitsOf,
} from "../resource/limits";

/**
 * Limits of what a channel's upstream may be asked, with their names on the wire, where they stand only when set. Beyond the
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
};

/** Undefined where nothing is limited. In an edit undefined stays, and 0 takes away. */
export interface ChannelLimits extends LimitsOf<typeof CHANNEL_LIMITS> {}
type ChannelLimitValues = LimitValuesOf<typeof CHANNEL_LIMITS>;

/** What is used of a channel's limits now, and how many requests wait for it. */
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

/** The limits that are set: 0 is none. */
export const readChannelLimits = (values: ChannelLimits): ChannelLimitValues =>
  setLimitsOf(CHANNEL_LIMITS, values);
