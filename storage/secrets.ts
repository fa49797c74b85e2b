import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Seals secrets for storage, and makes the keyed hashes under which they are found again. */
export interface Secrets {
  /** Encrypts and authenticates with AES-256-GCM; the same text never gives the same result twice. */
  seal(text: string): string;
  /** @throws when the text was sealed under another master key, or was altered. */
  open(sealed: string): string;
  /** HMAC-SHA-256 as base64url: equal texts give equal hashes, and only the holder of the master key can make one. */
  hash(text: string): string;
}

/** @param masterKey at least 32 random bytes; whoever has it and the database has every secret. */
export const createSecrets = (masterKey: Uint8Array): Secrets => {
  if (masterKey.byteLength < 32) throw new Error("the master key must have at least 32 bytes");
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync("sha256", masterKey, new Uint8Array(0), purpose, 32));
  const sealingKey = derive("tollgate sealing");
  const hashingKey = derive("tollgate hashing");
  return {
    seal(text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", sealingKey, iv);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.from([VERSION]), iv, cipher.getAuthTag(), body]).toString("base64url");
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes[0] !== VERSION) throw new Error("a stored secret has an unknown form");
      const iv = bytes.subarray(1, 1 + IV_BYTES);
      const tag = bytes.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", sealingKey, iv);
      decipher.setAuthTag(tag);
      const body = bytes.subarray(1 + IV_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
    },
    hash(text) {
      return createHmac("sha256", hashingKey).update(text).digest("base64url");
    },
  };
};
