import { randomAlphanumeric } from "@tollgate/accounts/random-text";
import type { Secrets } from "@tollgate/storage/secrets";
import { areEqualTexts } from "../../http/equal-texts";

/** The cookie that a browser keeps after a sign-in, also when that has ended. */
export const DEVICE_COOKIE = "device";

const ID_LENGTH = 22;

const signatureOf = (secrets: Secrets, userId: number, deviceId: string): string =>
  secrets.hash(`${DEVICE_COOKIE}\n${userId}\n${deviceId}`);

/** Cookie for a device after a sign-in: a new device name, signed for this user. It is no sign-in itself. */
export const createDeviceCookie = (secrets: Secrets, userId: number): string => {
  const deviceId = randomAlphanumeric(ID_LENGTH);
  return `${deviceId}.${signatureOf(secrets, userId, deviceId)}`;
};

/** The name of a device on which this user was signed in before; undefined for any other. */
export const readDeviceCookie = (
  secrets: Secrets,
  userId: number,
  cookie: string | undefined,
): string | undefined => {
  const [, deviceId, signature] = /^([A-Za-z\d]{22})\.([\w-]{43})$/.exec(cookie ?? "") ?? [];
  if (deviceId === undefined || signature === undefined) return undefined;
  return areEqualTexts(signature, signatureOf(secrets, userId, deviceId)) ? deviceId : undefined;
};
