import { randomInt } from "node:crypto";
import { hashSessionId } from "@tollgate/accounts/sessions";
import type { User } from "@tollgate/accounts/users";
import type { BegunSecondFactor } from "@tollgate/contract/api/second-factor";
import type { SignInNeed } from "@tollgate/contract/api/session";
import type { SecondFactor } from "@tollgate/contract/records/second-factor-record";
import { ROLE_ADMIN, ROLE_USER } from "@tollgate/contract/values/roles";
import { waitSeconds } from "@tollgate/relay/limits/waiting";
import type { FastifyRequest } from "fastify";
import { Secret, TOTP } from "otpauth";
import { areEqualTexts } from "../../http/equal-texts";
import type { MessageKey } from "../../locales/catalogue";
import { Failure } from "../failure";
import type { Services } from "../services";
import { hasSession } from "./fresh-sign-in";
import { CODE_DEVICE_COOKIE, readDeviceCookie } from "./known-device";

/** Of the SHA-1 that every app knows: RFC 4226, section 4, asks for this length. */
const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** Steps before and after the current one whose codes count, for clocks that differ (RFC 6238, section 5.2). */
const STEPS_BESIDE = 1;

const BACKUP_CODES = 8;
/** Without letters and digits that are read as one another: a code of ten has 49 bits. */
const CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const CODE_HALF = 5;

const codeHalf = (): string =>
  Array.from({ length: CODE_HALF }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join("");

/** Codes of which each stands for the app once. */
export const createBackupCodes = (): string[] =>
  Array.from({ length: BACKUP_CODES }, () => `${codeHalf()}-${codeHalf()}`);

/** A code without what people and apps put between its groups. */
const bare = (code: string): string => code.replaceAll(/[\s-]/g, "").toUpperCase();

/** The least role of which the site requires a second factor; undefined where it requires none. */
const requiredRole = ({ options }: Pick<Services, "options">): number | undefined => {
  const required = options.text("SecondFactorRequired");
  if (required === "admins") return ROLE_ADMIN;
  return required === "everyone" ? ROLE_USER : undefined;
};

/** Whether the site requires a second factor of a user. */
export const isRequiredOf = (services: Pick<Services, "options">, { role }: Pick<User, "role">): boolean => {
  const least = requiredRole(services);
  return least !== undefined && role >= least;
};

/** A user's factor; undefined without one, or for one that no code has confirmed yet. */
export const findConfirmed = async (
  { storage }: Pick<Services, "storage">,
  userId: number,
): Promise<SecondFactor | undefined> => {
  const factor = await storage.read.secondFactors.find(userId);
  return factor && factor.confirmedTime > 0 ? factor : undefined;
};

/** The second factors that a user has: an app, passkeys, or both. */
const factorsOf = async ({ storage }: Pick<Services, "storage">, userId: number) => {
  const [app, passkeys] = await Promise.all([
    findConfirmed({ storage }, userId),
    storage.read.passkeys.ofUser(userId),
  ]);
  return { hasApp: app !== undefined, hasPasskeys: passkeys.length > 0 };
};

/** Whether a user has an app or a passkey. */
export const hasSecondFactor = async (
  services: Pick<Services, "storage">,
  userId: number,
): Promise<boolean> => {
  const { hasApp, hasPasskeys } = await factorsOf(services, userId);
  return hasApp || hasPasskeys;
};

/** What a user's sign-in needs besides a password or another account; undefined for nothing. */
export const needOf = async (services: Services, user: User): Promise<SignInNeed | undefined> => {
  const { hasApp, hasPasskeys } = await factorsOf(services, user.id);
  if (hasPasskeys) return hasApp ? "either" : "passkey";
  if (hasApp) return "code";
  return isRequiredOf(services, user) ? "setup" : undefined;
};

/** @throws Failure unless the site requires a second factor of a user who has none. */
export const checkSetUp = async (services: Services, user: User): Promise<void> => {
  const needs = await needOf(services, user);
  // Where the site has ceased to require one, the password is enough again.
  if (needs !== "setup") throw new Failure(needs === undefined ? "sign-in-expired" : "second-factor-on");
};

/** Reports a change of a user's second factors to the user. */
export const tellOwner = async (
  { storage, notices }: Pick<Services, "storage" | "notices">,
  userId: number,
  what: "second-factor-on" | "second-factor-off" | "backup-codes" | "passkey-added" | "passkey-removed",
): Promise<void> => {
  const owner = await storage.read.users.find(userId);
  if (owner) notices.accountChanged(owner, what);
};

/**
 * Signs out users without a second factor that the site requires of them: their next sign-in sets one up. Called after
 * the site requires more, and after a user gets a higher role.
 */
export const endUnsafeSessions = async (services: Services): Promise<void> => {
  const least = requiredRole(services);
  if (least !== undefined) await services.accounts.sessions.endOfOneFactor(least);
};

const appOf = (secret: string, issuer: string, label: string): TOTP =>
  new TOTP({
    // A colon would end it in an app's eyes.
    issuer: issuer.replaceAll(":", " ").trim() || "Tollgate",
    label,
    secret: Secret.fromBase32(secret),
    period: PERIOD_SECONDS,
  });

/**
 * Stores a new secret and new backup codes, which count once a code is confirmed.
 * @throws Failure for a user who has a confirmed factor: it is removed first, with a code.
 */
export const beginSecondFactor = async (services: Services, user: User): Promise<BegunSecondFactor> => {
  const { storage, options } = services;
  const seen = await storage.read.secondFactors.find(user.id);
  if (seen && seen.confirmedTime > 0) throw new Failure("second-factor-on");
  const secret = new Secret({ size: SECRET_BYTES }).base32;
  const backupCodes = createBackupCodes();
  const next = { userId: user.id, secret, backupCodes, confirmedTime: 0, lastStep: 0, version: "" };
  // Another call of the same moment has stored one that its caller is shown.
  if (!(await storage.write.secondFactors.replace(seen, next))) throw new Failure("second-factor-changed");
  return {
    secret,
    address: appOf(secret, options.text("SystemName"), user.username).toString(),
    backupCodes,
  };
};

const WRONG_CODES: ReadonlySet<string> = new Set<MessageKey>(["second-factor-wrong", "second-factor-used"]);

/** Whether `takeCode` refused a code, and not the caller for too many. */
export const isWrongCode = (error: unknown): boolean =>
  error instanceof Failure && WRONG_CODES.has(error.key);

/** The factor after a right code; undefined for a wrong one. @throws Failure for one that was taken before. */
const takenWith = (factor: SecondFactor, code: string, nowSeconds: number): SecondFactor | undefined => {
  if (/^\d{6}$/.test(code)) {
    const app = appOf(factor.secret, "", "");
    const beside = app.validate({ token: code, window: STEPS_BESIDE, timestamp: nowSeconds * 1000 });
    if (beside === null) return undefined;
    const step = Math.floor(nowSeconds / PERIOD_SECONDS) + beside;
    if (step <= factor.lastStep) throw new Failure("second-factor-used");
    return { ...factor, lastStep: step };
  }
  const left = factor.backupCodes.filter((each) => !areEqualTexts(bare(each), code));
  return left.length < factor.backupCodes.length ? { ...factor, backupCodes: left } : undefined;
};

/**
 * The device for the limit of wrong codes: a session of the user, or a browser that has shown a code of this factor.
 * One that has shown the password alone may be in the hands of a person who has no more.
 */
const knownDevice = (
  services: Services,
  user: User,
  { confirmedTime }: SecondFactor,
  request: FastifyRequest,
): string | undefined =>
  hasSession(services, user, request)
    ? `session ${hashSessionId(request.cookies.session ?? "")}`
    : readDeviceCookie(
        services.secrets,
        user.id,
        request.cookies[CODE_DEVICE_COOKIE],
        `${CODE_DEVICE_COOKIE} ${confirmedTime}`,
      );

/**
 * Takes a code of a user's app, or a backup code, once: of two calls with the same one, one is refused.
 * @param changed changes the factor that is stored with it; undefined removes it
 * @throws Failure for a wrong code, one that was taken before, or after too many.
 */
export const takeCode = async (
  services: Services,
  user: User,
  factor: SecondFactor,
  code: string,
  request: FastifyRequest,
  changed: (taken: SecondFactor) => SecondFactor | undefined = (taken) => taken,
): Promise<void> => {
  const { storage, addresses, signInLimits, now } = services;
  const begun = signInLimits.beginCode(
    {
      userId: user.id,
      subscriber: addresses.subscriberOf(request.raw),
      deviceId: knownDevice(services, user, factor, request),
    },
    Date.now(),
  );
  if (typeof begun === "number") throw new Failure("too-many-attempts", {}, 429, waitSeconds(begun));
  const taken = takenWith(factor, bare(code), now());
  if (!taken) throw new Failure("second-factor-wrong");
  if (!(await storage.write.secondFactors.replace(factor, changed(taken))))
    throw new Failure("second-factor-used");
  begun();
};
