import {
  type beginPasskeyFactor,
  beginPasskeyLogin,
  type finishPasskeyFactor,
  finishPasskeyLogin,
} from "@tollgate/contract/api/passkeys";
import type { User } from "@tollgate/contract/api/user";
import { callEndpoint } from "../../lib/call-endpoint";
import { signWithPasskey } from "./passkey-ceremony";

/** Signs in with a passkey: a challenge, the browser's answer, and the call that checks it. */
export const signInByPasskey = async (
  begin: typeof beginPasskeyLogin | typeof beginPasskeyFactor = beginPasskeyLogin,
  finish: typeof finishPasskeyLogin | typeof finishPasskeyFactor = finishPasskeyLogin,
): Promise<User> => {
  const { options } = await callEndpoint(begin, {});
  return callEndpoint(finish, { body: await signWithPasskey(options.publicKey) });
};
