import { type Hold, type HoldRefusal, hold } from "../ledger";
import { covers, type Lease, spareOf, type WaitingHold } from "./lease";

/**
 * Reason for refusing a hold. "node-not-admitting": this node is not sure of its leases, or is stopping; another node
 * may serve the request now, and this one later. "database-silent": no answer came in time.
 */
export type LeaseRefusal = HoldRefusal | "node-not-admitting" | "database-silent";

/** Whether no more quota of an account will arrive for this hold. */
const isFinal = (lease: Lease, waiting: WaitingHold, numberBefore: number): boolean => {
  if (covers(lease, waiting.most)) return true;
  const { answer } = lease;
  if (!answer || answer.number <= numberBefore) return false;
  if (answer.askedAt >= waiting.recallUntil) return true;
  const { left, elsewhere } = answer.grant;
  return elsewhere === 0 && (left === 0 || spareOf(lease) + left < Math.max(1, waiting.least));
};

/** The ledger knows the lease, not the balance: "exceeded" is for a sum that would not do. */
const isExceeded = ({ quota, answer }: Lease, least: number): boolean =>
  quota + (answer ? answer.grant.left + answer.grant.elsewhere : 0) < Math.max(1, least);

/**
 * Decides a waiting hold, if possible. If one of the two accounts is insufficient, the other is not awaited.
 * @param now monotonic milliseconds. @returns undefined while more quota may arrive.
 */
export const decideHold = (waiting: WaitingHold, now: number): Hold | LeaseRefusal | undefined => {
  const { user, key, least, most } = waiting;
  const isUserFinal = isFinal(user, waiting, waiting.userNumber);
  if (isUserFinal && !covers(user, least))
    return isExceeded(user, least) ? "user-quota-exceeded" : "user-quota-held";
  const isKeyFinal = isFinal(key, waiting, waiting.keyNumber);
  if (isKeyFinal && !covers(key, least))
    return isExceeded(key, least) ? "token-quota-exceeded" : "token-quota-held";
  if ((!isUserFinal || !isKeyFinal) && now < waiting.giveUpAt) return undefined;
  return covers(user, least) && covers(key, least) ? hold(user, key, least, false, most) : "database-silent";
};
