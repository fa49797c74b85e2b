import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { AssertionBody, NewPasskeyBody } from "@tollgate/contract/api/passkeys";

/*
 * A device with passkeys and the browser before it, in software: attestation "none", keys of ES256
 * (https://www.w3.org/TR/webauthn-3/#sctn-authenticator-data).
 */

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** What goes wrong with a signature, or is otherwise than usual. */
export interface SignedOtherwise {
  origin?: string;
  rpId?: string;
  /** Whether the device verifies its user. */
  isVerified?: boolean;
  /** The count that it reports; it counts up by itself otherwise. */
  counter?: number;
  challenge?: string;
  type?: string;
}

interface CreationOptions {
  challenge: string;
  rp: { id?: string };
}

interface RequestOptions {
  challenge: string;
  rpId?: string;
}

const sha256 = (bytes: string | Uint8Array): Buffer => createHash("sha256").update(bytes).digest();

/** A text of less than 24 bytes, in CBOR. */
const cborText = (text: string): Buffer => Buffer.concat([Buffer.of(0x60 + text.length), Buffer.from(text)]);

/** Up to 65,535 bytes, in CBOR. */
const cborBytes = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.of(0x59, bytes.length >> 8, bytes.length & 0xff), bytes]);

export class PasskeyDevice {
  readonly id = randomBytes(20).toString("base64url");
  private readonly keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  private counter = 0;

  /** @param origin of the page that calls. */
  constructor(private readonly origin: string) {}

  private clientData(type: string, challenge: string, otherwise: SignedOtherwise): string {
    const { origin = this.origin } = otherwise;
    const data = { type: otherwise.type ?? type, challenge: otherwise.challenge ?? challenge, origin };
    return Buffer.from(JSON.stringify({ ...data, crossOrigin: false })).toString("base64url");
  }

  private authData(rpId: string, flags: number, otherwise: SignedOtherwise): Buffer {
    this.counter = otherwise.counter ?? this.counter + 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const verified = otherwise.isVerified === false ? 0 : USER_VERIFIED;
    const all = flags | USER_PRESENT | verified;
    return Buffer.concat([sha256(otherwise.rpId ?? rpId), Buffer.of(all), counter]);
  }

  /** The public key in COSE. */
  private coseKey(): Buffer {
    const { x = "", y = "" } = this.keys.publicKey.export({ format: "jwk" });
    return Buffer.concat([
      Buffer.from("a501020326200121", "hex"),
      ...[Buffer.from("5820", "hex"), Buffer.from(x, "base64url")],
      ...[Buffer.from("225820", "hex"), Buffer.from(y, "base64url")],
    ]);
  }

  /** Makes the passkey of this device. */
  create({ challenge, rp }: CreationOptions, otherwise: SignedOtherwise = {}): NewPasskeyBody {
    const id = Buffer.from(this.id, "base64url");
    const authData = Buffer.concat([
      this.authData(rp.id ?? "", HAS_KEY, otherwise),
      Buffer.alloc(16),
      Buffer.of(0, id.length),
      id,
      this.coseKey(),
    ]);
    const attestation = Buffer.concat([
      Buffer.of(0xa3),
      ...[cborText("fmt"), cborText("none")],
      ...[cborText("attStmt"), Buffer.of(0xa0)],
      ...[cborText("authData"), cborBytes(authData)],
    ]);
    return {
      ...{ id: this.id, rawId: this.id, type: "public-key" },
      response: {
        clientDataJSON: this.clientData("webauthn.create", challenge, otherwise),
        attestationObject: attestation.toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  /** Signs in with it. */
  sign({ challenge, rpId = "" }: RequestOptions, otherwise: SignedOtherwise = {}): AssertionBody {
    const clientDataJSON = this.clientData("webauthn.get", challenge, otherwise);
    const authData = this.authData(rpId, 0, otherwise);
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, "base64url"))]);
    return {
      ...{ id: this.id, rawId: this.id, type: "public-key" },
      response: {
        clientDataJSON,
        authenticatorData: authData.toString("base64url"),
        signature: sign("sha256", signed, this.keys.privateKey).toString("base64url"),
      },
    };
  }
}
