import { randomAlphanumeric } from "@tollgate/accounts/random-text";
import type { Secrets } from "@tollgate/storage/secrets";
import { areEqualTexts } from "../../http/equal-texts";

/** The cookie that a browser keeps after a sign-in, also when that has ended. */
export const DEVICE_COOKIE = "device";

const ID_LENGTH = 22;

/** The same of a browser that has shown a code. */
export const CODE_DEVICE_COOKIE = "code_device";

/** What a device has shown; a code, of the second factor that was confirmed then. */
export type Shown = typeof DEVICE_COOKIE | `${typeof CODE_DEVICE_COOKIE} ${number}`;

const signatureOf = (secrets: Secrets, shown: Shown, userId: number, deviceId: string): string =>
  secrets.hash(`${shown}\n${userId}\n${deviceId}`);

/** Cookie for a device after a sign-in: a new device name, signed for this user. It is no sign-in itself. */
export const createDeviceCookie = (
  secrets: Secrets,
  userId: number,
  shown: Shown = DEVICE_COOKIE,
): string => {
  const deviceId = randomAlphanumeric(ID_LENGTH);
  return `${deviceId}.${signatureOf(secrets, shown, userId, deviceId)}`;
};

/** The name of a device on which this user was signed in before; undefined for any other. */
export const readDeviceCookie = (
  secrets: Secrets,
  userId: number,
  cookie: string | undefined,
  shown: Shown = DEVICE_COOKIE,
): string | undefined => {
  const [, deviceId, signature] = /^([A-Za-z\d]{22})\.([\w-]{43})$/.exec(cookie ?? "") ?? [];
  if (deviceId === undefined || signature === undefined) return undefined;
  return areEqualTexts(signature, signatureOf(secrets, shown, userId, deviceId)) ? deviceId : undefined;
};
