import type { User } from "@tollgate/accounts/users";
import {
  type AssertionBody,
  creationOptions,
  isTransport,
  MAX_PASSKEYS,
  type NewPasskeyBody,
  requestOptions,
} from "@tollgate/contract/api/passkeys";
import type { Passkey, PasskeyRefusal } from "@tollgate/contract/records/passkey-record";
import type { FastifyRequest } from "fastify";
import type { MessageKey } from "../../locales/catalogue";
import { audit } from "../audit";
import { Failure } from "../failure";
import type { Services } from "../services";
import { describeDevice } from "./describe-device";
import { loadWebauthn } from "./load-webauthn";
import type { Challenge } from "./passkey-challenge";
import { relyingPartyFor } from "./relying-party";

/** EdDSA, ES256 and RS256: all devices know one of them (https://www.iana.org/assignments/cose). */
const ALGORITHMS = [-8, -7, -257];
const TIMEOUT_MS = 300_000;
const MAX_TRANSPORTS = 8;

const toBytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "base64url"));

/** The user as devices know them: the same for all passkeys of a user, and nothing by which others know the user. */
const handleOf = ({ secrets }: Services, { id }: User): Uint8Array<ArrayBuffer> =>
  toBytes(secrets.hash(`passkey user\n${id}`));

const toDescriptor = ({ credentialId, transports }: Passkey) => ({
  id: credentialId,
  // Of a newer device, or of one that lies: a browser takes those that it knows.
  transports: transports.filter((each) => isTransport(each)),
});

/** Options for a browser that makes a passkey. @throws Failure for a user with the most that one may have. */
export const createPasskeyOptions = async (
  services: Services,
  user: User,
  challenge: Uint8Array<ArrayBuffer>,
  request: FastifyRequest,
) => {
  const { options, storage } = services;
  const { id } = relyingPartyFor(options, request);
  const own = await storage.read.passkeys.ofUser(user.id);
  if (own.length >= MAX_PASSKEYS) throw new Failure("passkey-too-many", { max: MAX_PASSKEYS });
  const { generateRegistrationOptions } = await loadWebauthn();
  const publicKey = await generateRegistrationOptions({
    rpName: options.text("SystemName") || "Tollgate",
    rpID: id,
    userID: handleOf(services, user),
    userName: user.username,
    userDisplayName: user.username,
    challenge,
    timeout: TIMEOUT_MS,
    excludeCredentials: own.map(toDescriptor),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return { options: { publicKey: creationOptions.parse(publicKey) } };
};

/** Options for a browser that signs in. @param own the user's passkeys; undefined for any that the browser offers. */
export const createRequestOptions = async (
  { options }: Services,
  own: readonly Passkey[] | undefined,
  challenge: Uint8Array<ArrayBuffer>,
  request: FastifyRequest,
) => {
  const { id } = relyingPartyFor(options, request);
  const { generateAuthenticationOptions } = await loadWebauthn();
  const publicKey = await generateAuthenticationOptions({
    rpID: id,
    challenge,
    timeout: TIMEOUT_MS,
    ...(own ? { allowCredentials: own.map(toDescriptor) } : {}),
    userVerification: own ? "preferred" : "required",
  });
  return { options: { publicKey: requestOptions.parse(publicKey) } };
};

/**
 * The made passkey without a statement of its maker, which the site does not ask for: certificates in it would have to be
 * checked, at addresses that they name.
 */
const withoutStatement = async (attestationObject: string): Promise<string> => {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await loadWebauthn();
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get("authData");
  return isoBase64URL.fromBuffer(
    isoCBOR.encode(
      new Map<string, string | Map<string, never> | Uint8Array>([
        ["fmt", "none"],
        ["attStmt", new Map<string, never>()],
        ["authData", authData],
      ]),
    ),
  );
};

const readMade = async (
  { id, rawId, response: { clientDataJSON, attestationObject } }: NewPasskeyBody,
  challenge: Challenge,
  { id: expectedRPID, origin: expectedOrigin }: ReturnType<typeof relyingPartyFor>,
) => {
  const { verifyRegistrationResponse } = await loadWebauthn();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...{ id, rawId, type: "public-key", clientExtensionResults: {} },
      response: { clientDataJSON, attestationObject: await withoutStatement(attestationObject) },
    },
    ...{ expectedChallenge: challenge.text, expectedOrigin, expectedRPID },
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return verified ? registrationInfo.credential : undefined;
};

const REFUSALS: Readonly<Record<PasskeyRefusal, MessageKey>> = {
  taken: "passkey-taken",
  "too-many": "passkey-too-many",
  "challenge-used": "passkey-challenge",
  "not-first": "second-factor-on",
};

/**
 * Stores a passkey that a browser has made for a challenge.
 * @param isFirst whether it is refused beside another factor.
 * @throws Failure
 */
export const storePasskey = async (
  services: Services,
  user: User,
  body: NewPasskeyBody,
  { challenge, isFirst }: { challenge: Challenge; isFirst: boolean },
  request: FastifyRequest,
): Promise<Passkey> => {
  const { storage, options, now } = services;
  const party = relyingPartyFor(options, request);
  const made = await readMade(body, challenge, party).catch(() => undefined);
  if (!made) throw new Failure("passkey-refused");
  const added = await storage.write.passkeys.add(
    {
      userId: user.id,
      credentialId: made.id,
      publicKey: Buffer.from(made.publicKey).toString("base64url"),
      counter: made.counter,
      transports: (body.response.transports ?? [])
        .filter((each) => /^[a-z-]+$/.test(each))
        .slice(0, MAX_TRANSPORTS),
      name: body.name ?? (describeDevice(request.headers["user-agent"] ?? "") || "Passkey"),
      createdTime: now(),
      lastUsedTime: 0,
      lastChallenge: challenge.madeTime,
    },
    { max: MAX_PASSKEYS, isFirst },
  );
  if (typeof added === "string") throw new Failure(REFUSALS[added], { max: MAX_PASSKEYS });
  return added;
};

/** Whether a device has signed less often than before: then there are two of it. 0 stands for one that does not count. */
const isCopied = (before: number, now: number): boolean => (before > 0 || now > 0) && now <= before;

const readAssertion = async (
  passkey: Passkey,
  { id, rawId, response: { clientDataJSON, authenticatorData, signature } }: AssertionBody,
  challenge: Challenge,
  { id: expectedRPID, origin: expectedOrigin }: ReturnType<typeof relyingPartyFor>,
) => {
  const { verifyAuthenticationResponse } = await loadWebauthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      ...{ id, rawId, type: "public-key", clientExtensionResults: {} },
      response: { clientDataJSON, authenticatorData, signature },
    },
    ...{ expectedChallenge: challenge.text, expectedOrigin, expectedRPID },
    requireUserVerification: false,
    // The counter is compared afterwards, so that its refusal has another sentence.
    credential: { id: passkey.credentialId, publicKey: toBytes(passkey.publicKey), counter: 0 },
  });
  return verified ? authenticationInfo : undefined;
};

/**
 * Takes the signature of a passkey, once: of two calls with the same one, one is refused.
 * @param user whose passkey it must be; undefined for any user. @param mustVerify whether the device must have verified
 *   its user, by a finger, a face or a PIN.
 * @returns the id of its user
 * @throws Failure
 */
export const takeAssertion = async (
  services: Services,
  body: AssertionBody,
  { challenge, user, mustVerify }: { challenge: Challenge; user?: User; mustVerify: boolean },
  request: FastifyRequest,
): Promise<number> => {
  const { storage, options, accounts, now } = services;
  const party = relyingPartyFor(options, request);
  const passkey = await storage.read.passkeys.find(body.id);
  if (!passkey || (user && passkey.userId !== user.id)) throw new Failure("passkey-unknown");
  const signed = await readAssertion(passkey, body, challenge, party).catch(() => undefined);
  if (!signed) throw new Failure("passkey-refused");
  if (mustVerify && !signed.userVerified) throw new Failure("passkey-unverified");
  if (challenge.madeTime <= passkey.lastChallenge) throw new Failure("passkey-challenge");
  if (isCopied(passkey.counter, signed.newCounter)) {
    const owner = accounts.users.find(passkey.userId);
    if (owner)
      await audit(
        services,
        { caller: owner, request },
        "user.refuse-passkey",
        owner.id,
        { name: passkey.name },
        owner,
      );
    throw new Failure("passkey-copied");
  }
  const use = { counter: signed.newCounter, lastUsedTime: now(), lastChallenge: challenge.madeTime };
  if (!(await storage.write.passkeys.use(passkey, use))) throw new Failure("passkey-challenge");
  return passkey.userId;
};
