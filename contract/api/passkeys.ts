import * as z from "zod/mini";
import { endpoint } from "../resource/endpoint";
import { int, text } from "../resource/fields";
import { listOf, plain, resource, type ValueOf, type WireFormat } from "../resource/resource";
import { AT_SIGN_IN } from "./second-factor";
import { signedIn } from "./session";

/*
 * Passkeys (WebAuthn): a second factor, and a sign-in by themselves. Beyond the contract; addresses and fields are
 * new-api's where it has them. The shapes of the browser are those of
 * https://www.w3.org/TR/webauthn-3/#sctn-parseCreationOptionsFromJSON.
 */

/** Passkeys of one user. */
export const MAX_PASSKEYS = 10;
export const MAX_PASSKEY_NAME = 50;

const passkey = resource({
  id: int("id"),
  name: text("name"),
  createdTime: int("created_time"),
  /** 0 for never. */
  lastUsedTime: int("last_used_time"),
});
export type ShownPasskey = ValueOf<typeof passkey>;

const passkeys = listOf(passkey);
const looseOwn = z.object({ passkeys: z.unknown() });

const ownPasskeys: WireFormat<ShownPasskey[]> = {
  schema: z.object({ enabled: z.boolean(), passkeys: passkeys.schema }),
  encode: (own) => ({ enabled: own.length > 0, passkeys: passkeys.encode(own) }),
  read: (value) => {
    const read = looseOwn.safeParse(value);
    return read.success ? passkeys.read(read.data.passkeys) : undefined;
  },
};

/** Bytes as base64url. A credential's id has up to 1023 bytes. */
const bytes = (max: number) => z.string().check(z.maxLength(max), z.regex(/^[\w-]*$/));
const credentialId = bytes(1364).check(z.minLength(1));
const verification = z.optional(z.enum(["discouraged", "preferred", "required"]));
const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
const transport = z.enum(TRANSPORTS);
/** Whether a browser knows this way to a passkey (https://www.w3.org/TR/webauthn-3/#enum-transport). */
export const isTransport = (text: string): text is (typeof TRANSPORTS)[number] =>
  TRANSPORTS.some((known) => known === text);
const descriptors = z.optional(
  z.array(
    z.object({
      id: z.string(),
      type: z.literal("public-key"),
      transports: z.optional(z.array(transport)),
    }),
  ),
);

/** What a browser needs to make a passkey. */
export const creationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.optional(z.string()), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.number() })),
  timeout: z.optional(z.number()),
  excludeCredentials: descriptors,
  authenticatorSelection: z.optional(
    z.object({
      residentKey: verification,
      requireResidentKey: z.optional(z.boolean()),
      userVerification: verification,
    }),
  ),
  attestation: z.optional(z.literal("none")),
});

/** What a browser needs to sign in with one. */
export const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.optional(z.string()),
  timeout: z.optional(z.number()),
  allowCredentials: descriptors,
  userVerification: verification,
});

const creation = plain(z.object({ options: z.object({ publicKey: creationOptions }) }));
const request = plain(z.object({ options: z.object({ publicKey: requestOptions }) }));

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  authenticatorAttachment: z.optional(z.nullable(z.string().check(z.maxLength(32)))),
};

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_PASSKEY_NAME));

/** The passkey that a browser has made. Without a name it gets the browser's. */
export const newPasskeyBody = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8192),
    attestationObject: bytes(32_768),
    transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(16))),
  }),
  name: z.optional(name),
});
export type NewPasskeyBody = z.output<typeof newPasskeyBody>;

/** The signature of a passkey. */
export const assertionBody = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8192),
    authenticatorData: bytes(8192),
    signature: bytes(8192),
  }),
});
export type AssertionBody = z.output<typeof assertionBody>;

const OWN = "/api/user/passkey";

export const listPasskeys = endpoint({
  method: "GET",
  path: OWN,
  guard: "user",
  isForPeople: true,
  summary: "One's own passkeys, the oldest first",
  data: ownPasskeys,
  reads: "passkeys",
});

export const beginPasskey = endpoint({
  method: "POST",
  path: `${OWN}/register/begin`,
  guard: "user",
  isForPeople: true,
  summary: "Makes the challenge for a new passkey; it is good for five minutes",
  data: creation,
});

export const addPasskey = endpoint({
  method: "POST",
  path: `${OWN}/register/finish`,
  guard: "user",
  isForPeople: true,
  summary: "Adds the passkey that a browser has made",
  body: newPasskeyBody,
  data: passkey,
  changes: ["passkeys", "sessions"],
});

export const renamePasskey = endpoint({
  method: "PUT",
  path: `${OWN}/:id`,
  guard: "user",
  isForPeople: true,
  summary: "Renames one of one's own passkeys",
  body: z.object({ name }),
  changes: ["passkeys"],
});

export const removePasskey = endpoint({
  method: "DELETE",
  path: `${OWN}/:id`,
  guard: "user",
  isForPeople: true,
  summary: "Removes one of one's own passkeys",
  changes: ["passkeys"],
});

export const removePasskeys = endpoint({
  method: "DELETE",
  path: OWN,
  guard: "user",
  isForPeople: true,
  summary: "Removes all of one's own passkeys",
  changes: ["passkeys"],
});

export const beginPasskeyLogin = endpoint({
  method: "POST",
  path: `${OWN}/login/begin`,
  guard: "none",
  summary: "Makes the challenge for a sign-in by a passkey alone",
  data: request,
});

export const finishPasskeyLogin = endpoint({
  method: "POST",
  path: `${OWN}/login/finish`,
  guard: "none",
  summary: "Signs in with a passkey alone, which has verified its user",
  body: assertionBody,
  data: signedIn,
});

export const beginPasskeyFactor = endpoint({
  method: "POST",
  path: `${AT_SIGN_IN}/passkey/begin`,
  guard: "none",
  summary: "Makes the challenge for a passkey that completes a sign-in",
  data: request,
});

export const finishPasskeyFactor = endpoint({
  method: "POST",
  path: `${AT_SIGN_IN}/passkey/finish`,
  guard: "none",
  summary: "Completes a sign-in with a passkey",
  body: assertionBody,
  data: signedIn,
});

export const beginPasskeyAtSignIn = endpoint({
  method: "POST",
  path: `${AT_SIGN_IN}/passkey/register/begin`,
  guard: "none",
  summary: "Makes the challenge for the passkey of a user whose sign-in needs a second factor",
  data: creation,
  isCritical: true,
});

export const addPasskeyAtSignIn = endpoint({
  method: "POST",
  path: `${AT_SIGN_IN}/passkey/register/finish`,
  guard: "none",
  summary: "Adds the passkey that a browser has made, and completes the sign-in",
  body: newPasskeyBody,
  data: signedIn,
});

/** For a user who has lost them. */
export const resetPasskeys = endpoint({
  method: "DELETE",
  path: "/api/user/:id/reset_passkey",
  guard: "root",
  summary: "Removes a user's passkeys, and signs them out everywhere",
});
