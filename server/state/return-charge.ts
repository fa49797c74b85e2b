import type { Accounts } from "@tollgate/accounts/accounts";
import type {
  NewRequestRefund,
  RequestRefundOutcome,
} from "@tollgate/contract/records/request-refund-record";
import type { RequestRefundChanges } from "@tollgate/storage/accounts/money-ports";

/**
 * Returns the charge of a request, or a part of it: in storage, and then to the balances in memory.
 * @returns the refund, or the one that was made before.
 * @throws the store's error.
 */
export const returnCharge = async (
  { users, keys }: Pick<Accounts, "users" | "keys">,
  write: RequestRefundChanges,
  wanted: NewRequestRefund,
): Promise<RequestRefundOutcome> => {
  const { userId, keyId } = wanted;
  const outcome = await users.grantBy(
    userId,
    "request-refund",
    () => write.refund(wanted),
    ({ kind, refund }) => (kind === "refunded" ? refund.quota : 0),
  );
  if (outcome.kind === "refunded") await keys.takeReturned(userId, keyId, outcome.refund.keyQuota);
  return outcome;
};
