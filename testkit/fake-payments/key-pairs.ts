import { createSign, generateKeyPairSync } from "node:crypto";

/** Keys as people copy them: the base64 of PKCS#8 and SPKI, without lines around it. */
export interface KeyPair {
  privateKey: string;
  publicKey: string;
}

const draw = (): KeyPair => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "der" },
    publicKeyEncoding: { type: "spki", format: "der" },
  });
  return { privateKey: privateKey.toString("base64"), publicKey: publicKey.toString("base64") };
};

let drawn: { merchant: KeyPair; platform: KeyPair; stranger: KeyPair } | undefined;

/** The keys of a merchant, of a platform, and of another person; drawn once in a process, because that takes a while. */
export const paymentKeys = () => {
  drawn ??= { merchant: draw(), platform: draw(), stranger: draw() };
  return drawn;
};

const pem = (key: string, kind: string): string => `-----BEGIN ${kind}-----\n${key}\n-----END ${kind}-----\n`;

export const privatePem = ({ privateKey }: KeyPair): string => pem(privateKey, "PRIVATE KEY");
export const publicPem = ({ publicKey }: KeyPair): string => pem(publicKey, "PUBLIC KEY");

export const signWith = (pair: KeyPair, text: string): string =>
  createSign("RSA-SHA256")
    .update(text)
    .sign({ key: Buffer.from(pair.privateKey, "base64"), format: "der", type: "pkcs8" }, "base64");
