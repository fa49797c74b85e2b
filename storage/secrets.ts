import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { DataRefused } from "./errors";

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A sealed secret has the right form, but this master key does not open it. */
export class SealBroken extends DataRefused {
  override readonly name = "SealBroken";
  constructor() {
    super({ code: "secret-sealed-otherwise" });
  }
}

/** A stored text does not have the form of a sealed secret. */
export class SealUnknown extends Error {
  override readonly name = "SealUnknown";
  constructor() {
    super("seal-unknown");
  }
}

/** Seals secrets for storage, and makes the keyed hashes under which they are found again. */
export interface Secrets {
  /** Encrypts and authenticates with AES-256-GCM; the same text never gives the same result twice. */
  seal(text: string): string;
  /** @throws when the text was sealed under another master key, or was altered. */
  open(sealed: string): string;
  /**
   * Seals for a file that leaves the installation: the same text for the same use always gives the same result, so that
   * a file kept in git changes only where a secret did; it only reveals which secrets of one use are equal.
   * @param use the only use that it opens for: the writer of the file cannot move it to another place, which might
   *   reveal it.
   */
  sealForFile(text: string, use: string): string;
  /** @throws when it was not sealed for a file and this use, or under another master key, or was altered. */
  openFromFile(sealed: string, use: string): string;
  /** HMAC-SHA-256 as base64url: equal texts give equal hashes, and only the holder of the master key can make one. */
  hash(text: string): string;
}

/** Encrypts and authenticates bytes with AES-256-GCM; the same bytes never give the same result twice. */
export interface Sealer {
  /**
   * @param iv 12 bytes that no other bytes are sealed with, nor the same for another use; by chance without.
   * @param use is not told, and must be the same to open it.
   */
  seal(bytes: Uint8Array, iv?: Buffer, use?: string): Buffer;
  /** @throws when the bytes were sealed under another master key, or were altered. */
  open(sealed: Uint8Array, use?: string): Buffer;
}

const deriveKey = (masterKey: Uint8Array, purpose: string): Buffer => {
  if (masterKey.byteLength < 32) throw new Error("the master key must have at least 32 bytes");
  return Buffer.from(hkdfSync("sha256", masterKey, new Uint8Array(0), purpose, 32));
};

/** @param purpose each has a separate key: a text sealed for one cannot be opened for another. */
export const createSealer = (masterKey: Uint8Array, purpose: string): Sealer => {
  const key = deriveKey(masterKey, purpose);
  return {
    seal(bytes, iv = randomBytes(IV_BYTES), use = "") {
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(use, "utf8"));
      const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
      return Buffer.concat([Buffer.from([VERSION]), iv, cipher.getAuthTag(), body]);
    },
    open(sealed, use = "") {
      if (sealed[0] !== VERSION) throw new SealUnknown();
      const iv = sealed.subarray(1, 1 + IV_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", key, iv);
      decipher.setAAD(Buffer.from(use, "utf8"));
      decipher.setAuthTag(sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES));
      const body = sealed.subarray(1 + IV_BYTES + TAG_BYTES);
      try {
        return Buffer.concat([decipher.update(body), decipher.final()]);
      } catch {
        // Node says no more than "Unsupported state or unable to authenticate data".
        throw new SealBroken();
      }
    },
  };
};

/** @param masterKey at least 32 random bytes; its holder with the database has every secret. */
export const createSecrets = (masterKey: Uint8Array): Secrets => {
  const sealer = createSealer(masterKey, "tollgate sealing");
  const fileSealer = createSealer(masterKey, "tollgate file-sealing");
  const fileIvKey = deriveKey(masterKey, "tollgate file-numbering");
  const hashingKey = deriveKey(masterKey, "tollgate hashing");
  return {
    seal: (text) => sealer.seal(Buffer.from(text, "utf8")).toString("base64url"),
    open: (sealed) => sealer.open(Buffer.from(sealed, "base64url")).toString("utf8"),
    sealForFile(text, use) {
      // From both: another text or use has another one, and the same is sealed the same way.
      const both = JSON.stringify([use, text]);
      const iv = createHmac("sha256", fileIvKey).update(both).digest().subarray(0, IV_BYTES);
      return fileSealer.seal(Buffer.from(text, "utf8"), iv, use).toString("base64url");
    },
    openFromFile: (sealed, use) => fileSealer.open(Buffer.from(sealed, "base64url"), use).toString("utf8"),
    hash(text) {
      return createHmac("sha256", hashingKey).update(text).digest("base64url");
    },
  };
};
