import type { ImportedOption } from "@tollgate/contract/records/imported-records";
import type { NewPasskey } from "@tollgate/contract/records/passkey-record";
import { findRelyingParty } from "@tollgate/server/management-api/sign-in/relying-party";
import { toNumber } from "./amounts";
import type { AddRemark } from "./mapped";
import type { OptionRow, PasskeyRow } from "./source-rows";
import type { TableRemarks } from "./table-remarks";

const ENABLED = "passkey.enabled";
const DOMAIN = "passkey.rp_id";

/** Options of new-api that are mapped here. */
export const PASSKEY_OPTIONS = [ENABLED, DOMAIN];

const textOf = (rows: readonly OptionRow[], key: string): string =>
  rows.find((row) => row.key === key)?.value?.trim() ?? "";

/**
 * Whether passkeys of the source work here: its domain of passkeys, or else that of its address, is that of the address
 * that is taken over.
 */
const keepsDomain = (options: readonly OptionRow[]): boolean => {
  const party = findRelyingParty({ serverAddress: () => textOf(options, "ServerAddress") });
  const domain = textOf(options, DOMAIN).replace(/:\d+$/, "");
  return party !== undefined && (domain === "" || domain === party.id);
};

/** The sign-in by passkey, where the source has it on. */
export const mapPasskeyOptions = (rows: readonly OptionRow[], addRemark: AddRemark): ImportedOption[] => {
  if (textOf(rows, ENABLED) !== "true") return [];
  if (keepsDomain(rows)) return [{ key: "PasskeyLoginEnabled", value: "true", isSecret: false }];
  addRemark(ENABLED, "left-out", "passkey-login");
  return [];
};

/** Bytes in base64, as new-api stores them, in base64url; undefined for anything else. */
const toUrlText = (base64: string | undefined, maxLength: number): string | undefined => {
  const text = (base64 ?? "").replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_");
  return text.length <= maxLength && /^[\w-]+$/.test(text) ? text : undefined;
};

const readTransports = (json: string | undefined): string[] =>
  [...(json ?? "").matchAll(/"([a-z-]{1,32})"/g)].map(([, name = ""]) => name).slice(0, 8);

const toPasskey = (
  { user_id: user, credential_id: credential, public_key: key, sign_count: count, transports }: PasskeyRow,
  now: number,
): NewPasskey | undefined => {
  const credentialId = toUrlText(credential, 1364);
  const publicKey = toUrlText(key, 8192);
  const counter = toNumber(count);
  if (credentialId === undefined || publicKey === undefined || counter < 0) return undefined;
  return {
    ...{ userId: toNumber(user), credentialId, publicKey, counter, name: "Passkey" },
    ...{ transports: readTransports(transports), createdTime: now, lastUsedTime: 0, lastChallenge: 0 },
  };
};

/**
 * The passkeys that go on working. Names each user who has to set up another, because the site has another domain: the
 * account is protected less than before.
 * @param isUser whether a user is taken over
 */
export const mapPasskeys = (
  rows: readonly PasskeyRow[],
  options: readonly OptionRow[],
  isUser: (id: number) => boolean,
  now: number,
  remarks: TableRemarks,
): NewPasskey[] => {
  const isKept = keepsDomain(options);
  const mapped = new Map<string, NewPasskey>();
  for (const row of rows) {
    const user = toNumber(row.user_id);
    const passkey = isKept ? toPasskey(row, now) : undefined;
    if (row.deleted_at) remarks.add("left-out", "second-factor-off", row.id);
    else if (!isUser(user)) remarks.add("left-out", "subscription-of-nobody", row.id, { user });
    else if (!passkey || mapped.has(passkey.credentialId))
      remarks.add("left-out", "passkey", row.id, { user });
    else {
      mapped.set(passkey.credentialId, passkey);
      remarks.add("changed", "passkey-kept", row.id, { user });
    }
  }
  return [...mapped.values()];
};
