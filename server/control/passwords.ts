import { hash, verify } from "@node-rs/argon2";
import { compare } from "bcryptjs";

/** argon2id as OWASP recommends it: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The password that a new installation's root user has unless INITIAL_ROOT_PASSWORD names another. */
export const DEFAULT_ROOT_PASSWORD = "123456";

export const hashPassword = (password: string): Promise<string> => hash(password, COST);

/** Databases of one-api hold bcrypt hashes. */
export const isOutdatedHash = (passwordHash: string): boolean => /^\$2[aby]\$/.test(passwordHash);

let nobody: Promise<string> | undefined;

/**
 * Checks a password. For a user that does not exist it takes as long as a real check, so that names cannot be guessed
 * by time.
 * @param passwordHash undefined when there is no such user.
 */
export const verifyPassword = async (
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> => {
  if (passwordHash === undefined) {
    nobody ??= hashPassword("nobody has this password");
    await verify(await nobody, password);
    return false;
  }
  return isOutdatedHash(passwordHash) ? compare(password, passwordHash) : verify(passwordHash, password);
};
