import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser";
import type {
  AssertionBody,
  creationOptions,
  NewPasskeyBody,
  requestOptions,
} from "@tollgate/contract/api/passkeys";
import i18next from "i18next";
import type * as z from "zod/mini";
import { RefusedError } from "../../lib/api-client";

/* Calls of the browser's WebAuthn interface. Loaded late, because most visits use no passkey. */

/** A refusal by the browser, which is shown as one by the server is. */
const refusal = (message: string): RefusedError => new RefusedError(message, { success: false, message });

/** The browser's refusal in a sentence for people. */
const explain = (error: unknown): RefusedError => {
  if (!(error instanceof Error)) return refusal(i18next.t("passkey.failed", { reason: String(error) }));
  if (error instanceof WebAuthnError && error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
    return refusal(i18next.t("passkey.known"));
  // The person closed the browser's window, or took too long: browsers do not reveal which.
  if (error.name === "NotAllowedError" || error.name === "AbortError")
    return refusal(i18next.t("passkey.cancelled"));
  return refusal(i18next.t("passkey.failed", { reason: error.message }));
};

const checkSupport = (): void => {
  if (!browserSupportsWebAuthn()) throw refusal(i18next.t("passkey.unsupported"));
};

/** Lets the person make a passkey on a device. @throws RefusedError. */
export const createPasskey = async (
  optionsJSON: z.output<typeof creationOptions>,
): Promise<NewPasskeyBody> => {
  checkSupport();
  const { id, rawId, type, response } = await startRegistration({ optionsJSON }).catch((error: unknown) => {
    throw explain(error);
  });
  const { clientDataJSON, attestationObject, transports } = response;
  return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } };
};

/** Lets the person sign in with a passkey. @throws RefusedError. */
export const signWithPasskey = async (
  optionsJSON: z.output<typeof requestOptions>,
): Promise<AssertionBody> => {
  checkSupport();
  const { id, rawId, type, response } = await startAuthentication({ optionsJSON }).catch((error: unknown) => {
    throw explain(error);
  });
  const { clientDataJSON, authenticatorData, signature } = response;
  return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature } };
};
