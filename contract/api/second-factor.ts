import * as z from "zod/mini";
import { endpoint } from "../resource/endpoint";
import { flag, int, text } from "../resource/fields";
import { plain, readerOf, resource, type ValueOf } from "../resource/resource";
import { logIn, signedIn } from "./session";

/*
 * The second factor of a sign-in: codes of an authenticator app (RFC 6238), and backup codes for the day it is lost.
 * Beyond the contract; addresses and fields are new-api's where it has them.
 */

const secondFactor = resource({
  isOn: flag("enabled"),
  /** Whether the site asks for one of a user like this one. */
  isRequired: flag("required"),
  codesLeft: int("backup_codes_remaining"),
});
export type SecondFactorState = ValueOf<typeof secondFactor>;

const codesField = { name: "backup_codes", strict: z.array(z.string()), loose: z.array(z.string()) } as const;

const begun = resource({
  /** In base32, for apps that read no picture. */
  secret: text("secret"),
  /** An `otpauth:` address, which apps read from a picture. */
  address: text("qr_code_data"),
  backupCodes: codesField,
});
export type BegunSecondFactor = ValueOf<typeof begun>;

/** Six digits of the app, or a backup code; spaces and hyphens do not matter. */
export const codeBodySchema = z.object({ code: z.string().check(z.minLength(1), z.maxLength(100)) });

const OWN = "/api/user/2fa";

export const getSecondFactor = endpoint({
  method: "GET",
  path: `${OWN}/status`,
  guard: "user",
  isForPeople: true,
  summary: "Whether one's sign-ins ask for a code, and how many backup codes are left",
  data: secondFactor,
  reads: "second-factor",
});

export const setUpSecondFactor = endpoint({
  method: "POST",
  path: `${OWN}/setup`,
  guard: "user",
  isForPeople: true,
  summary: "Makes a secret for an authenticator app, and backup codes; it counts once a code is confirmed",
  data: begun,
});

export const confirmSecondFactor = endpoint({
  method: "POST",
  path: `${OWN}/enable`,
  guard: "user",
  isForPeople: true,
  summary: "Confirms the secret with a code of the app: sign-ins ask for one from now on",
  body: codeBodySchema,
  changes: ["second-factor", "sessions"],
});

export const removeSecondFactor = endpoint({
  method: "POST",
  path: `${OWN}/disable`,
  guard: "user",
  isForPeople: true,
  summary: "Removes one's second factor, with a code",
  body: codeBodySchema,
  changes: ["second-factor"],
});

const newCodes = z.object({ backup_codes: z.array(z.string()) });

export const replaceBackupCodes = endpoint({
  method: "POST",
  path: `${OWN}/backup_codes`,
  guard: "user",
  isForPeople: true,
  summary: "Makes new backup codes in the place of all earlier ones, with a code",
  body: codeBodySchema,
  data: plain(newCodes, readerOf(newCodes)),
  changes: ["second-factor"],
});

/** Where a sign-in goes on that needs a second factor; its cookie is good for ten minutes. */
export const AT_SIGN_IN = `${logIn.path}/2fa` as const;

export const completeSignIn = endpoint({
  method: "POST",
  path: AT_SIGN_IN,
  guard: "none",
  summary: "Completes a sign-in with a code, or confirms the second factor that it set up",
  body: codeBodySchema,
  data: signedIn,
});

export const setUpAtSignIn = endpoint({
  method: "POST",
  path: `${AT_SIGN_IN}/setup`,
  guard: "none",
  summary: "Makes a second factor for a sign-in that needs one where the user has none",
  data: begun,
  isCritical: true,
});

/** For a user who has lost the app and the codes. */
export const resetSecondFactor = endpoint({
  method: "DELETE",
  path: "/api/user/:id/2fa",
  guard: "root",
  summary: "Removes a user's second factor and passkeys, and signs them out everywhere",
});
