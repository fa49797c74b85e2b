import type { Channel } from "@tollgate/contract/api/channels";
import type { RateSubject } from "./rates";

type RateLimits = RateSubject["limits"];

const given = (limits: RateLimits): RateLimits | undefined =>
  Object.values(limits).every((limit) => limit === undefined) ? undefined : limits;

/** What bounds one channel with all its keys together; undefined where nothing does. */
export const channelSubject = ({ id, rpm, tpm, concurrency }: Channel): RateSubject | undefined => {
  const limits = given({ rpm, tpm, concurrency });
  return limits && { scope: "channel", id, limits };
};

/**
 * What the requests of one channel key are bounded by, worked out when the channel changes.
 * @param keyId the id of a target, which names the channel and the key without telling it.
 * @returns undefined where nothing is limited.
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
