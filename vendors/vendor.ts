import type { ProtocolName } from "@tollgate/contract/relay/protocol";

/** How a vendor's key travels: in a header as it is, or as what is signed with it or fetched for it. */
export type AuthStyle =
  | "bearer"
  | "x-api-key"
  | "api-key"
  | "x-goog-api-key"
  | "aws-sigv4"
  | "baidu-oauth"
  | "google-oauth"
  | "spark-url"
  | "tencent-legacy"
  | "tencent-tc3"
  | "zhipu-jwt";

/** Under which heading the channel form lists a vendor (specification section 3, channel types). */
export type VendorCategory = "model" | "custom" | "knowledge-base" | "relay";

/** What a channel's balance counts in (specification section 9); undefined where no balance is known. */
export type BalanceUnit = "usd" | "cny" | "cny-per-10000" | "quota";

/** One way to reach a vendor. */
export interface VendorRoute {
  protocol: ProtocolName;
  /**
   * Where it answers unless the channel says otherwise; "" where the channel must say it. "{region}" stands for the
   * channel's field `other` where that is a region, else for the third part of the key.
   */
  baseUrl: string;
  /**
   * What a base address is followed by that does not name a version of the API itself ("/api/paas/v4"). "{region}" as
   * above; "{project}" stands for the third part of the key.
   */
  apiPath?: string;
  auth: AuthStyle;
  /** Headers that every request to it carries. */
  headers?: Record<string, string>;
  /** Where paths do not follow from the protocol alone. */
  addressing?: "azure-deployments" | "cohere" | "vertex";
  /** It is reached over a WebSocket. */
  isSocket?: true;
  /** False where the usage in its answers means nothing: they are counted here. */
  reportsUsage?: false;
  /** Names under which it knows models that clients call otherwise. */
  modelNames?: Readonly<Record<string, string>>;
}

/** A way that is taken in place of the vendor's main one, when all that is said here holds. */
export interface AlternativeRoute extends VendorRoute {
  /** The channel's key has so many parts. */
  keyParts?: readonly number[];
  /** The model (after the channel's mapping) has such a name. */
  models?: RegExp;
  /** The channel's base address ends like this. */
  baseUrlEnd?: RegExp;
}

/** The forms that a key may have, by the number of its parts. */
export interface KeyForms {
  /**
   * What stands between the parts; of a "." only the first counts. "service-account" for Google's key file, a JSON
   * document on one or several lines, whose parts are e-mail address, private key, project and the key's id.
   */
  separator: "|" | "." | "service-account";
  forms: readonly { parts: number; text: string }[];
}

/** Everything that makes one channel type differ from another: data only. */
export interface Vendor {
  /** The channel type's number on the wire. */
  type: number;
  name: { zh: string; en: string };
  category: VendorCategory;
  /** Colour of its badge, a name from the console's palette. */
  color:
    | "green"
    | "olive"
    | "blue"
    | "purple"
    | "violet"
    | "orange"
    | "teal"
    | "black"
    | "pink"
    | "red"
    | "grey"
    | "brown";
  /** Where it answers unless the channel says otherwise; "" where the channel must say it. */
  baseUrl: string;
  balanceUnit?: BalanceUnit;
  /** What the parts of a key are called, in order: the hint of the channel form. */
  keyFormat?: string;
  /** The key is a document of several lines, which the channel form describes. */
  keyDocument?: "service-account";
  /** What the channel's `other` field means, and the value that the console starts with. */
  other?: {
    meaning: "api-version" | "model-version" | "knowledge-base-id" | "private-address" | "region";
    default?: string;
  };
}
