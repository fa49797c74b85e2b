import type { Channel } from "@tollgate/contract/api/channels";
import type { RateSubject } from "./rates";

type RateLimits = RateSubject["limits"];

const given = (limits: RateLimits): RateLimits | undefined =>
  Object.values(limits).every((limit) => limit === undefined) ? undefined : limits;

/** The limits of one channel with all its keys together; undefined without limits. */
export const channelSubject = ({ id, rpm, tpm, concurrency }: Channel): RateSubject | undefined => {
  const limits = given({ rpm, tpm, concurrency });
  return limits && { scope: "channel", id, limits };
};

/**
 * The limits of one channel key's requests, computed when the channel changes.
 * @param keyId the id of a target, which identifies the channel and the key without revealing it.
 * @returns undefined without limits.
 */
export const upstreamSubjects = (
  channel: Channel,
  keyId: string,
  ofChannel: RateSubject | undefined,
): readonly RateSubject[] | undefined => {
  const { keyRpm: rpm, keyTpm: tpm, keyConcurrency: concurrency } = channel;
  const limits = given({ rpm, tpm, concurrency });
  const ofKey = limits && ({ scope: "channel-key", id: keyId, limits } as const);
  if (ofChannel && ofKey) return [ofChannel, ofKey];
  const only = ofChannel ?? ofKey;
  return only && [only];
};
