import { isObject } from "../values/is-object";
import { tryParseJson } from "../values/parse-json";
import type { PaymentOptions, PaymentProviderOf } from "./payment-provider";

/** Pieces that stand one behind the other: texts in UTF-8, and bytes as they came. */
export type SignedContent = readonly (string | Uint8Array)[];

/** Signatures and seals; the server has its own implementation. */
export interface PaymentCrypto {
  /** HMAC-SHA-256; hexadecimal. */
  hmacSha256(key: string, content: SignedContent): string;
  /** MD5 of a text in UTF-8; hexadecimal, small letters. */
  md5(text: string): string;
  /**
   * RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, section 8.2); base64.
   * @param privateKey PKCS#8 or PKCS#1, as PEM or as its base64 alone. @throws for an invalid key.
   */
  signRsa(privateKey: string, text: string): string;
  /** @param publicKey as PEM, as a certificate, or as the base64 of a key alone; an invalid one verifies nothing. */
  verifyRsa(publicKey: string, content: SignedContent, signature: string): boolean;
  /**
   * AES-256-GCM with the tag at the end (RFC 5116). @param sealed base64. @returns undefined when the key does not open
   * it.
   */
  openGcm(sealed: {
    key: string;
    nonce: string;
    associatedData: string;
    ciphertext: string;
  }): string | undefined;
  /** Compares in a time that does not depend on where they differ. */
  areEqual(one: string, other: string): boolean;
  /** 32 random hexadecimal digits. */
  nonce(): string;
}

export interface ProviderRequest {
  method: "GET" | "POST";
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** The provider's answer, whatever the status. */
export interface ProviderAnswer {
  status: number;
  text: string;
  /** "" for one that is not there. */
  header(name: string): string;
}

export interface PaymentTools<Option extends string = string> {
  crypto: PaymentCrypto;
  /** Unix milliseconds. */
  nowMs: number;
  /** Fields of a form or a query; the first of each name counts. */
  readForm(text: string): ReadonlyMap<string, string>;
  /** `application/x-www-form-urlencoded`. */
  writeForm(fields: Readonly<Record<string, string>>): string;
  /** The value of one of the provider's options, without blanks around it. */
  option(key: Option): string;
  /** Where the provider's service is; no slash at its end. */
  address: string;
  /** Asks over the outbound guard; redirects are not followed. undefined where the service does not answer in time. */
  ask(request: ProviderRequest): Promise<ProviderAnswer | undefined>;
}

/** An order that is to be paid. */
export interface CheckoutOrder {
  /** 32 letters and digits, the same at the provider. */
  number: string;
  /** Minor units of `currency`. */
  amount: number;
  currency: string;
  /** Of the provider's ways to pay; "" where it has none to choose. */
  method: string;
  /** Name of the goods that the buyer sees. */
  subject: string;
  /** Unix seconds at which it is not to be paid any more. */
  expiresAt: number;
  /** Where the provider calls back. */
  notifyUrl: string;
  /** Where the buyer comes back to. */
  returnUrl: string;
  /** The buyer's address in the network. */
  buyerAddress: string;
}

/** Why a call to a provider failed: it does not answer, or it refuses. */
export interface ProviderFault {
  kind: "fault";
  /** "unreachable": it is not known whether it was done. "refused": it was not. */
  fault: "unreachable" | "refused";
  /** The provider's message, without secrets; shown to administrators. */
  detail: string;
}

export const unreachable = (detail = ""): ProviderFault => ({ kind: "fault", fault: "unreachable", detail });
export const refused = (detail: string): ProviderFault => ({ kind: "fault", fault: "refused", detail });

/** How a buyer pays. @property checkout the provider's id of it; "" where it has none. */
export type Checkout =
  | { kind: "redirect"; url: string; checkout: string }
  /** A code that the page draws. */
  | { kind: "qr"; content: string; checkout: string };

/** Stored part of a provider's answer: a few short texts, no secrets. */
export type ProviderWords = Readonly<Record<string, string>>;

/** A provider's report of an order; verified, but not yet compared with the order. */
export type ProviderEvent = {
  /** The order's own number; "" where only `payment` says which it is. */
  number: string;
  words: ProviderWords;
} & (
  | {
      kind: "paid";
      amount: number;
      currency: string;
      /** The provider's id of the payment, for refunds and its own pages. */
      payment: string;
    }
  | { kind: "failed" | "expired" }
  /** Money went back: all of it so far. */
  | { kind: "refunded"; payment: string; total: number; currency: string }
  /** Money went back, or is claimed back: this much, once for each `reference`. */
  | {
      kind: "refunded-part" | "disputed";
      payment: string;
      amount: number;
      currency: string;
      reference: string;
    }
  /**
   * A refund that had been made did not arrive, or a claim of the buyer's bank was decided for the site.
   * @property own a refund's number at this site; "" for one that the provider began. @property reference the
   *   provider's name of it.
   */
  | {
      kind: "refund-failed" | "dispute-won";
      payment: string;
      amount: number;
      currency: string;
      own: string;
      reference: string;
    }
);

/** Why a callback is not valid for this provider, this moment or this merchant. */
export type CallbackFault = "signature-wrong" | "too-old" | "unreadable" | "other-merchant";

export type CallbackReading =
  | ProviderEvent
  | { kind: "refused"; fault: CallbackFault }
  /** Genuine, and about nothing that concerns an order. */
  | { kind: "ignored" };

/** A callback as it came. */
export interface Callback {
  method: "GET" | "POST";
  /** Behind the question mark, as it came. */
  query: string;
  body: Uint8Array;
  /** The body, read as UTF-8. */
  text: string;
  /** "" for one that is not there. */
  header(name: string): string;
}

export interface CallbackAnswer {
  status: number;
  type: string;
  body: string;
}

/** An order as the provider may be asked for it. */
export interface OrderAtProvider {
  number: string;
  amount: number;
  currency: string;
  /** The provider's ids of the checkout and the payment; "" while unknown. */
  checkout: string;
  payment: string;
}

export interface RefundOrder extends OrderAtProvider {
  /** Of this refund: the same for every retry. */
  refund: string;
  /** Minor units that go back now. */
  refundAmount: number;
  /** It was asked for before, and the answer was lost. */
  isAgain: boolean;
  /** Where its outcome is told that is not known at once. */
  notifyUrl: string;
}

/** A provider of payments, for the server alone, which has the secrets for it. */
export interface PaymentPort<Option extends string = string> {
  /** Where its service is, and the environment variable that says otherwise; undefined where an option of its own says it. */
  address: { variable: string; standard: string } | undefined;
  /** It knows of no end of an order's time, and lets a buyer who kept its address pay whenever they like. */
  hasNoEnd?: true;
  /** Begins the payment of an order. */
  begin(order: CheckoutOrder, tools: PaymentTools<Option>): Promise<Checkout | ProviderFault>;
  /** Verifies a callback over its bytes, and reads it. Never throws. */
  read(callback: Callback, tools: PaymentTools<Option>): CallbackReading;
  /** How the provider wants to hear that a callback was taken, or was not and is to come again. */
  answers: { taken: CallbackAnswer; refused: CallbackAnswer };
  /** Queries the state of an order. "waiting": it may still be paid, or the provider does not know it. */
  find(
    order: OrderAtProvider,
    tools: PaymentTools<Option>,
  ): Promise<ProviderEvent | "waiting" | ProviderFault>;
  /** Sends money back; once for each `refund`. undefined in place of a method: it is done by hand. */
  refund?(order: RefundOrder, tools: PaymentTools<Option>): Promise<"done" | ProviderFault>;
  /**
   * Returns the money that went back of a payment in all, without failures; for a provider whose events report such
   * sums, which may come late.
   */
  refundedTotal?(order: OrderAtProvider, tools: PaymentTools<Option>): Promise<number | ProviderFault>;
}

/** Declares the port of a provider, whose options it may read. */
export const paymentPortOf = <Name extends string, Switch extends string, Options extends PaymentOptions>(
  _provider: PaymentProviderOf<Name, Switch, Options>,
  port: PaymentPort<keyof Options & string>,
): PaymentPort<keyof Options & string> => port;

const MAX_WORD = 200;

/** Returns the stored part of a provider's values: short texts of one line. */
export const wordsOf = (values: Readonly<Record<string, unknown>>): ProviderWords => {
  const words: Record<string, string> = {};
  for (const [name, value] of Object.entries(values))
    if (value !== "" && (typeof value === "string" || typeof value === "number"))
      words[name] = String(value)
        .replace(/[\p{C}\s]+/gu, " ")
        .slice(0, MAX_WORD);
  return words;
};

/** Returns `a=1&b=2` of the fields that have a value, sorted by name: the text that EPay and Alipay sign. */
export const sortedPairs = (
  fields: Iterable<readonly [string, string]>,
  without: readonly string[],
): string =>
  [...fields]
    .filter(([name, value]) => value !== "" && !without.includes(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");

/** @returns undefined for invalid JSON, or JSON other than an object. */
export const readObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  const value = tryParseJson(text);
  return isObject(value) ? value : undefined;
};

export const textIn = (object: Readonly<Record<string, unknown>> | undefined, name: string): string => {
  const value = object && Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
};
