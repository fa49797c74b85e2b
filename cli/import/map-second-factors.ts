import type { SecondFactor } from "@tollgate/contract/records/second-factor-record";
import { toNumber } from "./amounts";
import type { TwoFactorRow } from "./source-rows";
import type { TableRemarks } from "./table-remarks";

/** In base32 (RFC 4648, section 6), of 80 bits at least. */
const SECRET = /^[A-Z2-7]{16,256}=*$/;

/**
 * The secrets of authenticator apps, which go on working. Names each user who loses backup codes, of which the source
 * has only hashes.
 * @param isUser whether a user is taken over
 */
export const mapSecondFactors = (
  factors: readonly TwoFactorRow[],
  isUser: (id: number) => boolean,
  now: number,
  remarks: TableRemarks,
): SecondFactor[] => {
  const mapped = new Map<number, SecondFactor>();
  for (const {
    id,
    user_id: of,
    is_enabled: isEnabled,
    secret: given = "",
    deleted_at: deleted = "",
  } of factors) {
    const user = toNumber(of);
    const secret = given.trim().toUpperCase();
    const isOff = isEnabled !== true || deleted !== "" || mapped.has(user);
    if (isOff) remarks.add("left-out", "second-factor-off", id);
    else if (!isUser(user)) remarks.add("left-out", "subscription-of-nobody", id, { user });
    else if (!SECRET.test(secret)) remarks.add("left-out", "second-factor", id, { user });
    else {
      const factor = { userId: user, secret, backupCodes: [], confirmedTime: now, lastStep: 0, version: "" };
      mapped.set(user, factor);
      remarks.add("changed", "second-factor-codes", id, { user });
    }
  }
  return [...mapped.values()];
};
