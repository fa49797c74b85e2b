import { hash, verify } from "@node-rs/argon2";
import { HashingQueue } from "./hashing-queue";

/** argon2id as OWASP recommends it: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** One-api's default password for root. It works only with ALLOW_DEFAULT_PASSWORD (see RootSetup). */
export const DEFAULT_ROOT_PASSWORD = "123456";

/** Stands for the hash of an account that has no password: none is right. */
export const NO_PASSWORD = "";

/** Maximum number of queued passwords: at some 50 ms each, the last one waits three seconds. */
const MAX_WAITING = 64;

/** For the whole process, because the thread pool is, too. */
const queue = new HashingQueue(1, MAX_WAITING);

/** @throws Failure with status 503 when too many passwords wait already. */
export const hashPassword = (password: string): Promise<string> => queue.run(() => hash(password, COST));

/** A bcrypt hash, and the logarithm of its cost. */
const BCRYPT = /^\$2[aby]\$(\d\d)\$/;

/** one-api's are of 10. Each step doubles the time: one of 31 would hold up all sign-ins for days. */
const MAX_BCRYPT_COST = 15;

/** Databases of one-api hold bcrypt hashes. */
export const isOutdatedHash = (passwordHash: string): boolean => BCRYPT.test(passwordHash);

/** In the thread pool as well: a check takes a tenth of a second, in which the loop would relay nothing. */
const verifyOutdated = async (passwordHash: string, password: string): Promise<boolean> => {
  if (Number(BCRYPT.exec(passwordHash)?.[1]) > MAX_BCRYPT_COST) return false;
  // Loaded by the first of them: most gateways have none.
  const { compare } = await import("@node-rs/bcrypt");
  return compare(password, passwordHash);
};

let nobody: Promise<string> | undefined;

/** A hash that matches no password. A failure is not cached, so that the next call tries again. */
const hashOfNobody = (): Promise<string> => {
  nobody ??= hashPassword("nobody has this password").catch((error: unknown) => {
    nobody = undefined;
    throw error;
  });
  return nobody;
};

/**
 * Checks a password. For an unknown user it takes as long as a real check, so that timing does not reveal names.
 * @param passwordHash undefined for an unknown user.
 * @throws Failure with status 503 when too many passwords wait already.
 */
export const verifyPassword = async (
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> => {
  if (passwordHash === undefined || passwordHash === NO_PASSWORD) {
    const unknown = await hashOfNobody();
    await queue.run(() => verify(unknown, password));
    return false;
  }
  return queue.run(() =>
    isOutdatedHash(passwordHash) ? verifyOutdated(passwordHash, password) : verify(passwordHash, password),
  );
};
