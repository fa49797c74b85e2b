import type { User } from "@tollgate/accounts/users";
import type { RequestRefund } from "@tollgate/contract/records/request-refund-record";
import { StorageConflict } from "@tollgate/storage/errors";
import { returnCharge } from "../../state/return-charge";
import { Failure } from "../failure";
import type { Services } from "../services";

type Tools = Pick<Services, "storage" | "accounts" | "options" | "now">;

/** A refund as an administrator asks for it. */
export interface WantedRefund {
  request_id: string;
  /** Undefined for all of the charge. */
  quota?: number | undefined;
  reason: string;
}

const isoMinute = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;

const refusalOf = (error: unknown): unknown => {
  if (!(error instanceof StorageConflict)) return error;
  if (error.kind === "not-found") return new Failure("request-refund-user-gone");
  return error.kind === "balance-too-large" ? new Failure("balance-too-large") : error;
};

/**
 * Refunds the charge of a request, whole or in part, once (docs/money.md#refunds-of-requests).
 * @throws Failure for a request that was not charged or was refunded before, for more than its charge, and where there
 *   is no receipt or no user any more.
 */
export const refundCharge = async (
  { storage, accounts, options, now }: Tools,
  actor: Pick<User, "id" | "username">,
  { request_id: requestId, quota: wanted, reason }: WantedRefund,
): Promise<{ refund: RequestRefund; user: { id: number; username: string } }> => {
  const receipt = await storage.read.receipts.find(requestId, undefined);
  if (!receipt) throw new Failure("request-refund-no-receipt");
  const { userId, detail } = receipt;
  if (receipt.failure || detail.quota <= 0) throw new Failure("request-refund-nothing");
  const quota = wanted ?? detail.quota;
  if (quota > detail.quota) throw new Failure("request-refund-too-much", { most: detail.quota });
  const { kind, refund } = await returnCharge(accounts, storage.write.requestRefunds, {
    ...{ requestId, userId, quota, reason },
    charged: detail.quota,
    actorId: actor.id,
    actorName: actor.username,
    createdAt: now(),
    username: receipt.username,
    keyId: receipt.keyId,
    keyName: receipt.tokenName,
    channelId: receipt.channelId,
    modelName: receipt.chargedModel,
    mostOfKey: detail.quota - detail.keyShortfall,
    hasCost: detail.cost !== undefined,
    chargedAt: receipt.createdAt,
    isLogged: options.isOn("LogConsumeEnabled"),
  }).catch((error: unknown) => {
    throw refusalOf(error);
  });
  if (kind === "before")
    throw new Failure("request-refunded-before", {
      name: refund.actorName,
      quota: refund.quota,
      time: isoMinute(refund.createdAt),
    });
  return {
    refund,
    user: { id: userId, username: accounts.users.find(userId)?.username ?? receipt.username },
  };
};
