import * as z from "zod/mini";
import { limit, orNone } from "./limits";
import { maybe, wholeNumber } from "./wire";

/** How much a channel's upstream may be asked; undefined where nothing is limited. In an edit undefined stays, and 0 takes away. */
export interface ChannelLimits {
  /** Requests in a minute, tokens in a minute (read and written), and requests at the same time: of all its keys together. */
  rpm?: number | undefined;
  tpm?: number | undefined;
  concurrency?: number | undefined;
  /** The same of each of its keys. */
  keyRpm?: number | undefined;
  keyTpm?: number | undefined;
  keyConcurrency?: number | undefined;
}

/** Beyond the contract, and on the wire only where something is set. */
export const channelLimitFields = {
  rpm: limit("rpm"),
  tpm: limit("tpm"),
  concurrency: limit("concurrency"),
  keyRpm: limit("key_rpm"),
  keyTpm: limit("key_tpm"),
  keyConcurrency: limit("key_concurrency"),
};

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

/** All of them, whether or not they are set. */
export type ChannelLimitValues = { readonly [Name in keyof typeof channelLimitFields]: number | undefined };

/** In a request, a field that is absent or null leaves the limit as it is, and 0 takes it away. */
export const channelLimitBody = {
  rpm: maybe(wholeNumber),
  tpm: maybe(wholeNumber),
  concurrency: maybe(wholeNumber),
  keyRpm: maybe(wholeNumber),
  keyTpm: maybe(wholeNumber),
  keyConcurrency: maybe(wholeNumber),
};

/** The limits of an object that has them among its other fields, as they are in an edit. */
export const pickChannelLimits = ({
  rpm,
  tpm,
  concurrency,
  keyRpm,
  keyTpm,
  keyConcurrency,
}: ChannelLimits): ChannelLimitValues => ({ rpm, tpm, concurrency, keyRpm, keyTpm, keyConcurrency });

/** The limits that are set: 0 is none. */
export const readChannelLimits = (limits: ChannelLimits): ChannelLimitValues => ({
  rpm: orNone(limits.rpm),
  tpm: orNone(limits.tpm),
  concurrency: orNone(limits.concurrency),
  keyRpm: orNone(limits.keyRpm),
  keyTpm: orNone(limits.keyTpm),
  keyConcurrency: orNone(limits.keyConcurrency),
});
