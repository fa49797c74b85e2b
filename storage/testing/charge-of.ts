import type { Charge } from "../accounts/charges";
import { newCharge } from "./sample-records";

let serial = 0;

/** A charge of a request of its own that ended at a time (unix seconds), as the log's tests look for it. */
export const chargeOf = (createdAt: number, quota: number, more: Partial<Charge> = {}): Charge => {
  serial += 1;
  return newCharge({
    requestId: `request-${serial}`,
    tokenId: 11,
    quota,
    tokenQuota: 0,
    createdAt,
    promptTokens: 10,
    completionTokens: 3,
    durationMs: 200,
    content: "模型倍率 15.00，分组倍率 1.00",
    ...more,
  });
};
