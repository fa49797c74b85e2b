import type { SecondFactor } from "@tollgate/contract/records/second-factor-record";
import { toNumber } from "./amounts";
import type { PasskeyRow, TwoFactorRow } from "./source-rows";
import type { TableRemarks } from "./table-remarks";

/** The rows with which people sign in besides a password. */
export interface SourceSecondFactors {
  factors: readonly TwoFactorRow[];
  passkeys: readonly PasskeyRow[];
}

/** In base32 (RFC 4648, section 6), of 80 bits at least. */
const SECRET = /^[A-Z2-7]{16,256}=*$/;

/**
 * The secrets of authenticator apps, which go on working. Names each user who loses backup codes, of which the source has
 * only hashes, or a passkey, which is bound to the source's address: their account is protected less than before.
 * @param isUser whether a user is taken over
 */
export const mapSecondFactors = (
  { factors, passkeys }: SourceSecondFactors,
  isUser: (id: number) => boolean,
  now: number,
  remarks: Readonly<Record<"two_fas" | "passkey_credentials", TableRemarks>>,
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
    if (isOff) remarks.two_fas.add("left-out", "second-factor-off", id);
    else if (!isUser(user)) remarks.two_fas.add("left-out", "subscription-of-nobody", id, { user });
    else if (!SECRET.test(secret)) remarks.two_fas.add("left-out", "second-factor", id, { user });
    else {
      const factor = { userId: user, secret, backupCodes: [], confirmedTime: now, lastStep: 0, version: "" };
      mapped.set(user, factor);
      remarks.two_fas.add("changed", "second-factor-codes", id, { user });
    }
  }
  for (const { id, user_id: user, deleted_at: deleted = "" } of passkeys)
    if (deleted !== "") remarks.passkey_credentials.add("left-out", "second-factor-off", id);
    else remarks.passkey_credentials.add("left-out", "passkey", id, { user: toNumber(user) });
  return [...mapped.values()];
};
