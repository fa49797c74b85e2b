import * as z from "zod/mini";

/** The second factor of a user: a secret that their authenticator app has too, and codes for the day it is lost. */
export interface SecondFactor {
  userId: number;
  /** Shared with the app, in base32 (RFC 6238). */
  secret: string;
  /** Each signs its owner in once. */
  backupCodes: readonly string[];
  /** Unix seconds; 0 until a code has shown that the app has the secret: sign-ins do not ask for it before. */
  confirmedTime: number;
  /** The time step of the last code that was taken, so that none is taken twice. */
  lastStep: number;
  /** Another one after each replacement; "" for one that is not stored. */
  version: string;
}

/** The part that is stored sealed, as JSON. */
export const sealedFactor = z.object({ secret: z.string(), backupCodes: z.readonly(z.array(z.string())) });
export type SealedFactor = z.output<typeof sealedFactor>;

export interface SecondFactorQueries {
  find(userId: number): Promise<SecondFactor | undefined>;
}

export interface SecondFactorChanges {
  /**
   * Stores a factor in the place of what a caller has read, all or none.
   * @param seen undefined where the caller found none. @param next undefined to remove it.
   * @returns false, and stores nothing, where something else stands there by now: another call took the same code.
   */
  replace(seen: SecondFactor | undefined, next: SecondFactor | undefined): Promise<boolean>;
  /** @returns false when the user has none. */
  remove(userId: number): Promise<boolean>;
}
