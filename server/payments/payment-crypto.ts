import {
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSign,
  createVerify,
  type KeyObject,
  randomBytes,
  X509Certificate,
} from "node:crypto";
import type { PaymentCrypto, SignedContent } from "@tollgate/contract/payments/payment-port";
import { areEqualTexts } from "../http/equal-texts";

/** Reads a key copied without the lines around it, or with spaces instead of line breaks. */
const derOf = (text: string): Buffer =>
  Buffer.from(text.replace(/-----[A-Z ]+-----/g, "").replace(/\s+/g, ""), "base64");

/** @throws where it is no key. */
const readPrivateKey = (text: string): KeyObject => {
  const key = derOf(text);
  try {
    return createPrivateKey({ key, format: "der", type: "pkcs8" });
  } catch {
    return createPrivateKey({ key, format: "der", type: "pkcs1" });
  }
};

const readPublicKey = (text: string): KeyObject => {
  const key = derOf(text);
  if (text.includes("CERTIFICATE")) return new X509Certificate(key).publicKey;
  try {
    return createPublicKey({ key, format: "der", type: "spki" });
  } catch {
    return createPublicKey({ key, format: "der", type: "pkcs1" });
  }
};

/** Parses keys for each payment: there are few, and no replaced key stays in memory. */
const withPieces = <T extends { update(piece: string | Uint8Array): unknown }>(
  hash: T,
  content: SignedContent,
): T => {
  for (const piece of content) hash.update(piece);
  return hash;
};

const TAG_BYTES = 16;
const GCM_KEY_BYTES = 32;

/** Node's own functions for signing, verifying and decrypting payments. */
export const paymentCrypto: PaymentCrypto = {
  hmacSha256: (key, content) => withPieces(createHmac("sha256", key), content).digest("hex"),
  md5: (text) => createHash("md5").update(text, "utf8").digest("hex"),
  signRsa: (privateKey, text) =>
    createSign("RSA-SHA256").update(text, "utf8").sign(readPrivateKey(privateKey), "base64"),
  verifyRsa(publicKey, content, signature) {
    try {
      return withPieces(createVerify("RSA-SHA256"), content).verify(
        readPublicKey(publicKey),
        signature,
        "base64",
      );
    } catch {
      return false;
    }
  },
  openGcm({ key, nonce, associatedData, ciphertext }) {
    const sealed = Buffer.from(ciphertext, "base64");
    const secret = Buffer.from(key, "utf8");
    if (secret.length !== GCM_KEY_BYTES || sealed.length <= TAG_BYTES) return undefined;
    try {
      const decipher = createDecipheriv("aes-256-gcm", secret, Buffer.from(nonce, "utf8"), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      decipher.setAAD(Buffer.from(associatedData, "utf8"));
      const opened = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
      return opened.toString("utf8");
    } catch {
      return undefined;
    }
  },
  areEqual: areEqualTexts,
  nonce: () => randomBytes(16).toString("hex"),
};
