import { describe, expect, it } from "vitest";
import { mapPasskeyOptions, mapPasskeys } from "./map-passkeys";
import type { RemarkCode } from "./remarks";
import type { OptionRow, PasskeyRow } from "./source-rows";
import { TableRemarks } from "./table-remarks";

const NOW = 1_800_000_000;

const optionsOf = (values: Record<string, string>): OptionRow[] =>
  Object.entries(values).map(([key, value], id) => ({ id, key, value }));

const SITE = { ServerAddress: "https://gate.example" };

const row = (more: Partial<PasskeyRow> = {}): PasskeyRow => ({
  ...{ id: 1, user_id: 7, credential_id: "+/8A", public_key: "pQEC", sign_count: 5 },
  transports: '["internal","hybrid"]',
  ...more,
});

const mappedFrom = (rows: PasskeyRow[], options: Record<string, string> = SITE) => {
  const remarks = new TableRemarks("passkey_credentials");
  const passkeys = mapPasskeys(rows, optionsOf(options), (id) => id === 7, NOW, remarks);
  return { passkeys, said: remarks.all().map(({ effect, code }) => `${effect} ${code}`) };
};

describe("passkeys of new-api", () => {
  it("go on working where their domain is the site's", () => {
    const { passkeys, said } = mappedFrom([row()], { ...SITE, "passkey.rp_id": "gate.example:443" });
    expect(passkeys).toEqual([
      {
        ...{ userId: 7, credentialId: "-_8A", publicKey: "pQEC", counter: 5, name: "Passkey" },
        ...{ transports: ["internal", "hybrid"], createdTime: NOW, lastUsedTime: 0, lastChallenge: 0 },
      },
    ]);
    expect(said).toEqual(["changed passkey-kept"]);
  });

  it.each([
    ["of another domain", [row()], { ...SITE, "passkey.rp_id": "other.example" }],
    ["of a site without HTTPS", [row()], { ServerAddress: "http://gate.example" }],
    ["of a site without an address", [row()], {}],
    ["without an id", [row({ credential_id: "" })], SITE],
    ["with an unreadable key", [row({ public_key: "not base64!" })], SITE],
  ])("are named where they cannot be used: %s", (_, rows, options) => {
    expect(mappedFrom(rows, options)).toEqual({ passkeys: [], said: ["left-out passkey"] });
  });

  it("are taken over once, of users who are, and not after they were removed", () => {
    const rows = [
      row(),
      row({ id: 2 }),
      row({ id: 3, user_id: 8 }),
      row({ id: 4, deleted_at: "2026-01-01" }),
    ];
    const { passkeys, said } = mappedFrom(rows);
    expect(passkeys).toHaveLength(1);
    expect(said).toEqual([
      "changed passkey-kept",
      "left-out passkey",
      "left-out subscription-of-nobody",
      "left-out second-factor-off",
    ]);
  });

  it("sign in by themselves where the source lets them, and the domain is the same", () => {
    const said: RemarkCode[] = [];
    const optionsFrom = (values: Record<string, string>) =>
      mapPasskeyOptions(optionsOf(values), (_key, _effect, code) => said.push(code));
    expect(optionsFrom({ ...SITE, "passkey.enabled": "true" })).toEqual([
      { key: "PasskeyLoginEnabled", value: "true", isSecret: false },
    ]);
    expect(optionsFrom({ ...SITE, "passkey.enabled": "false" })).toEqual([]);
    expect(said).toEqual([]);
    expect(optionsFrom({ ...SITE, "passkey.enabled": "true", "passkey.rp_id": "other.example" })).toEqual([]);
    expect(said).toEqual(["passkey-login"]);
  });
});
