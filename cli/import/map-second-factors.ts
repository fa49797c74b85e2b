import { toNumber } from "./amounts";
import type { PasskeyRow, TwoFactorRow } from "./source-rows";
import type { TableRemarks } from "./table-remarks";

/** Names each user who loses a second factor or a passkey: such an account is protected less than before. */
export const mapSecondFactors = (
  factors: readonly TwoFactorRow[],
  passkeys: readonly PasskeyRow[],
  remarks: Readonly<Record<"two_fas" | "passkey_credentials", TableRemarks>>,
): void => {
  for (const { id, user_id: user, is_enabled: isEnabled, deleted_at: deleted = "" } of factors) {
    if (isEnabled !== true || deleted !== "") remarks.two_fas.add("left-out", "second-factor-off", id);
    else remarks.two_fas.add("left-out", "second-factor", id, { user: toNumber(user) });
  }
  for (const { id, user_id: user, deleted_at: deleted = "" } of passkeys)
    if (deleted !== "") remarks.passkey_credentials.add("left-out", "second-factor-off", id);
    else remarks.passkey_credentials.add("left-out", "passkey", id, { user: toNumber(user) });
};
