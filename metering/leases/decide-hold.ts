import { type Hold, type HoldRefusal, hold } from "../ledger";
import { covers, type Lease, spareOf, type WaitingHold } from "./lease";

/**
 * Why a request gets nothing. "node-not-admitting": this node does not know that its leases are its own, or it stops;
 * another node may serve the request, and this one may later. "database-silent": no answer came in time.
 */
export type LeaseRefusal = HoldRefusal | "node-not-admitting" | "database-silent";

/** Whether nothing more will come of an account for this hold. */
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
 * Decides a hold that waits, as far as that is possible. Where one of the two accounts cannot do, the other is not waited for.
 * @param now monotonic milliseconds. @returns undefined while something more may come.
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
