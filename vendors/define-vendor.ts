import type { UpstreamErrorKind } from "@tollgate/contract/relay/error";
import type { ClientProtocolName, ProtocolName } from "@tollgate/contract/relay/protocol";
import type { PriceSheet } from "./catalogue/sheet";

/** How a vendor's key travels: in a header as it is, or as what is signed with it or fetched for it (relay/auth/). */
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

/** A name from the console's palette. */
export type VendorColor =
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

/** A name in both languages. */
export interface VendorName {
  zh: string;
  en: string;
}

/** What a channel's balance counts in (specification section 9). */
export type BalanceUnit = "usd" | "cny" | "cny-per-10000" | "quota";

/** How the balance behind a channel's key is asked for (server/management-api/channels/balance-reader.ts), and what it counts in. */
export type BalanceSource = { unit: BalanceUnit } & (
  | { method: "dashboard" }
  | { method: "credit-grants"; field: "total_available" | "total_remaining" }
  | { method: "user-status" }
  /** Asked at `address` unless the channel has a base address of its own. */
  | { method: "user-overview"; address: string }
);

/** One way to reach a vendor. */
export interface VendorRoute {
  protocol: ProtocolName;
  /**
   * Where it answers unless the channel says otherwise; "" where the channel must say it. "{region}" stands for the
   * channel's field `other` where that is a region, else for the part of the key that is one.
   */
  baseUrl: string;
  /** Regions whose address does not follow from `baseUrl`. */
  regionAddresses?: Readonly<Record<string, string>>;
  /**
   * What a base address is followed by that does not name a version of the API itself ("/api/paas/v4"). "{region}" as
   * above; "{project}" stands for that part of the key.
   */
  apiPath?: string;
  auth: AuthStyle;
  /** Headers that every request to it carries. */
  headers?: Record<string, string>;
  /** Where paths do not follow from the protocol alone (relay/routing/addressing.ts). */
  addressing?: "azure-deployments" | "cohere" | "vertex";
  /** It is reached over a WebSocket. */
  isSocket?: true;
  /** Where it tells its models otherwise than its protocol and its addressing have it. */
  modelList?: "ollama";
  /** False where the usage in its answers means nothing: they are counted here. */
  reportsUsage?: false;
  /** Names under which it knows models that clients call otherwise. */
  modelNames?: Readonly<Record<string, string>>;
}

/** A way that is taken in place of the vendor's main one, when all that is said here holds. */
export interface AlternativeRoute extends VendorRoute {
  /** The channel's key has this part. */
  keyPart?: KeyPart;
  /** The model (after the channel's mapping) has such a name. */
  models?: RegExp;
  /** The channel's base address ends like this. */
  baseUrlEnd?: RegExp;
}

/**
 * What a part of a key is; signatures (relay/auth/), addresses and requests ask for parts by these names. "key" is one
 * that is not cut.
 */
export type KeyPart =
  | "key"
  | "accountId"
  | "keyId"
  | "secret"
  | "region"
  | "sessionToken"
  | "email"
  | "project";

/** A key's parts in clear. */
export type KeyParts = Readonly<Partial<Record<KeyPart, string>>>;

/** The forms that a key may have, told apart by the number of their parts. */
export interface KeyForms {
  /**
   * What stands between the parts; of a "." only the first counts. "service-account" for Google's key file, a JSON
   * document on one or several lines, whose parts are "email", "secret" (the private key), "project" and
   * "keyId". Left out where a key is not cut.
   */
  separator?: "|" | "." | "service-account";
  /** The channel form shows the one that `isHint`. */
  forms: readonly { parts: readonly KeyPart[]; text: string; isHint?: true }[];
}

/** The channel's field `other`: what it means, and the value that holds where it is empty. */
export interface OtherField {
  meaning: "api-version" | "model-version" | "knowledge-base-id" | "private-address" | "region";
  default?: string;
}

/** What codes of a vendor's errors mean. A code that ends in "." stands for all codes that begin so. */
export type ErrorKinds = Partial<Record<UpstreamErrorKind, readonly (string | number)[]>>;

/** Everything that makes one channel type differ from another: data only. What is left out is as OpenAI's API has it. */
export interface VendorDefinition {
  /** The channel type's number on the wire. */
  type: number;
  /** One text for both languages, or one each; relays and knowledge bases are called so in front of it. */
  name: string | VendorName;
  /** "model" unless it says otherwise. */
  category?: VendorCategory;
  /**
   * Its name in traces, where OpenTelemetry has one for it (`gen_ai.provider.name`); else it is the English name in small letters.
   */
  providerName?: string;
  /** Colour of its badge. */
  color: VendorColor;
  /**
   * Where it answers unless the channel says otherwise; "" where the channel must say it: then the form asks for it and
   * the server refuses a channel without.
   */
  baseUrl: string;
  /** What the form's field for the base address is called, and an address to show there, where the channel must say it. */
  baseUrlField?: { label?: string; example: string };
  /** Its main way: Chat Completions below /v1 with the key as a bearer, but for what is said here. */
  route?: Partial<Omit<VendorRoute, "baseUrl">>;
  /** In place of the main way; the first that fits is taken. */
  alternatives?: readonly AlternativeRoute[];
  /**
   * What a key of this vendor looks like, where few others' look so. The vendor is guessed by it when only a key is
   * known: no key is ever sent to a vendor that was only guessed among several.
   */
  keyShape?: RegExp;
  /** Which keys are accepted when a channel is saved; any where this is left out. */
  keyForms?: KeyForms;
  other?: OtherField;
  /**
   * Protocols that it speaks at the same address besides: a client of one of them is served in its own, so that the
   * bytes pass unchanged.
   */
  extraProtocols?: readonly ClientProtocolName[];
  /** Models that it offers in one protocol alone, whatever the client speaks; the first match counts. */
  modelProtocols?: readonly { match: RegExp; protocol: ProtocolName }[];
  /** Fields at the top of a request that it refuses instead of ignoring them: they are left out. */
  refusedFields?: readonly string[];
  /** Headers of a client that reach it besides those of its protocol, in lower case. */
  clientHeaders?: readonly string[];
  /** Origins at which `max_completion_tokens` is a limit by the vendor's own word, whatever the channel's type. */
  completionLimitOrigins?: RegExp;
  /** Base addresses that name a version of the API though they do not end in one, whatever the channel's type. */
  versionedAddresses?: RegExp;
  /** Where the protocol alone would mistake its error codes. */
  errorKinds?: ErrorKinds;
  /** Left out where it tells no balance. */
  balance?: BalanceSource;
  /**
   * The models that the channel form fills in when this type is chosen and none are selected yet. OpenAI, Azure and the
   * relays have none (specification section 5): theirs are found in the form's list, which is the catalogue.
   */
  models?: readonly string[];
  /** Its price lists (docs/reference/prices.md); a model stands in one list of one vendor only. */
  prices?: readonly PriceSheet[];
  /** USD for a thousand calls of tools that it runs itself. */
  toolPrices?: Readonly<Record<string, number>>;
}

/** A vendor with everything said. */
export interface Vendor extends Omit<VendorDefinition, "name" | "route" | "errorKinds"> {
  name: VendorName;
  category: VendorCategory;
  /** The main way. */
  route: VendorRoute;
  alternatives: readonly AlternativeRoute[];
  errorKinds: ReadonlyMap<string, UpstreamErrorKind>;
  models: readonly string[];
  prices: readonly PriceSheet[];
}

const PREFIXES: Readonly<Record<VendorCategory, VendorName>> = {
  model: { zh: "", en: "" },
  custom: { zh: "", en: "" },
  "knowledge-base": { zh: "知识库：", en: "Knowledge base: " },
  relay: { zh: "代理：", en: "Relay: " },
};

const nameIn = (category: VendorCategory, name: string | VendorName): VendorName => {
  const prefix = PREFIXES[category];
  const { zh, en } = typeof name === "string" ? { zh: name, en: name } : name;
  return { zh: prefix.zh + zh, en: prefix.en + en };
};

const kindsByCode = (kinds: ErrorKinds): ReadonlyMap<string, UpstreamErrorKind> =>
  new Map(
    (Object.entries(kinds) as [UpstreamErrorKind, readonly (string | number)[]][]).flatMap(([kind, codes]) =>
      codes.map((code): [string, UpstreamErrorKind] => [String(code), kind]),
    ),
  );

/** Declares a vendor (docs/guides/add-a-vendor.md). */
export const defineVendor = ({
  name,
  category = "model",
  route = {},
  errorKinds = {},
  ...rest
}: VendorDefinition): Vendor => ({
  alternatives: [],
  models: [],
  prices: [],
  ...rest,
  name: nameIn(category, name),
  category,
  route: { protocol: "openai-chat", auth: "bearer", ...route, baseUrl: rest.baseUrl },
  errorKinds: kindsByCode(errorKinds),
});

/** What a vendor's own error code means; undefined when the vendor has none of that name. */
export const findErrorKind = ({ errorKinds }: Vendor, code: string): UpstreamErrorKind | undefined =>
  errorKinds.get(code) ?? errorKinds.get(code.slice(0, code.indexOf(".") + 1));
