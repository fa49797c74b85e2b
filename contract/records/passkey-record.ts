/** A credential of WebAuthn (https://www.w3.org/TR/webauthn-3/), with which a user signs in. */
export interface Passkey {
  id: number;
  userId: number;
  /** Unique over all users; base64url, as all bytes here. */
  credentialId: string;
  /** In the format of COSE. */
  publicKey: string;
  /** Signatures so far, as far as its device counts them; 0 where it does not. */
  counter: number;
  /** How browsers reach the device, such as "usb" or "internal". */
  transports: readonly string[];
  name: string;
  /** Unix seconds. */
  createdTime: number;
  /** Unix seconds; 0 for never. */
  lastUsedTime: number;
  /** When the challenge that it answered last was made, in unix milliseconds: it answers later ones alone. */
  lastChallenge: number;
}

export type NewPasskey = Omit<Passkey, "id">;

/** The parts that a sign-in changes. */
export type PasskeyUse = Pick<Passkey, "counter" | "lastUsedTime" | "lastChallenge">;

/** Why a passkey is not added: its credential has an owner, the user has enough, or the challenge was answered before. */
export type PasskeyRefusal = "taken" | "too-many" | "challenge-used" | "not-first";

export interface PasskeyQueries {
  /** A user's passkeys, the oldest first. */
  ofUser(userId: number): Promise<Passkey[]>;
  find(credentialId: string): Promise<Passkey | undefined>;
}

export interface PasskeyChanges {
  /**
   * @param limits.max passkeys of a user. @param limits.isFirst whether it is refused ("not-first") where the user has
   *   a passkey or a confirmed second factor.
   */
  add(passkey: NewPasskey, limits: { max: number; isFirst: boolean }): Promise<Passkey | PasskeyRefusal>;
  /** Stores a use. @returns false, and stores nothing, where it was used or removed since it was read. */
  use(seen: Passkey, use: PasskeyUse): Promise<boolean>;
  /** @returns false when the user has no such passkey. */
  rename(userId: number, id: number, name: string): Promise<boolean>;
  /** @returns false when the user has no such passkey. */
  remove(userId: number, id: number): Promise<boolean>;
  /** @returns how many there were. */
  removeAll(userId: number): Promise<number>;
}
