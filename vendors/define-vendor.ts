import type { BALANCE_UNITS } from "@tollgate/contract/api/channel-upstream";
import type { UpstreamErrorKind } from "@tollgate/contract/relay/error";
import type { ClientProtocolName, ProtocolName } from "@tollgate/contract/relay/protocol";
import type { PriceSheet } from "./catalogue/sheet";

/** How a vendor's key is sent: unchanged in a header, as a signature, or as a token fetched with it (relay/auth/). */
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

/** The group of a vendor in the channel form (specification section 3, channel types). */
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

/** The unit of a channel's balance. */
export type BalanceUnit = (typeof BALANCE_UNITS)[number];

/**
 * Method of querying the balance behind a channel's key (server/management-api/channels/upstream-account.ts), and its
 * unit.
 */
export type BalanceSource = {
  unit: BalanceUnit;
  /** Units at certain base addresses, by host, "" for the default address; null where none is reported. */
  unitAt?: Readonly<Record<string, BalanceUnit | null>>;
} /** At addresses of other gateways, the key's own account is asked for first. */ & (
  | { method: "dashboard" }
  /** A field of `data` in the answer to a path below the base address. */
  | { method: "field"; path: string; field: string }
  /** A list of balances by currency. The ends of base addresses for other client APIs, `otherApis`, do not have it. */
  | { method: "balance-infos"; otherApis: RegExp }
  /** Credits, which only some keys may read, else the rest of the key's own limit. */
  | { method: "credits" }
  | { method: "credit-grants"; field: "total_available" | "total_remaining" }
  | { method: "user-status" }
  /** Queried at `address` unless the channel has its own base address. */
  | { method: "user-overview"; address: string }
);

/** One route to a vendor. */
export interface VendorRoute {
  protocol: ProtocolName;
  /**
   * Default base address; "" when the channel must have its own. "{region}" is replaced by the channel's field `other`
   * if that is a region, else by the region in the key.
   */
  baseUrl: string;
  /** Regions whose address does not follow from `baseUrl`. */
  regionAddresses?: Readonly<Record<string, string>>;
  /**
   * Path appended to a base address that does not name an API version ("/api/paas/v4"). "{region}" as above;
   * "{project}" is replaced by that part of the key.
   */
  apiPath?: string;
  auth: AuthStyle;
  /** Headers that every request to it carries. */
  headers?: Record<string, string>;
  /** Set when paths or operations do not follow from the protocol alone (relay/routing/addressing.ts). */
  addressing?: "ark" | "azure-deployments" | "cohere" | "minimax" | "model-studio" | "vertex";
  /** Models are asked for by names that their customers choose: those that answers name say nothing of them. */
  hasOwnModelNames?: true;
  /** It is reached over a WebSocket. */
  isSocket?: true;
  /** Set when its list of models differs from that of its protocol and addressing. */
  modelList?: "ollama";
  /** False when the usage in its answers is meaningless: tokens are counted here. */
  reportsUsage?: false;
  /** Its names for models that clients call differently. */
  modelNames?: Readonly<Record<string, string>>;
}

/** A route used in place of the vendor's main one when all its conditions hold. */
export interface AlternativeRoute extends VendorRoute {
  /** The channel's key has this part. */
  keyPart?: KeyPart;
  /** The model (after the channel's mapping) has such a name. */
  models?: RegExp;
  /** The channel's base address ends like this. */
  baseUrlEnd?: RegExp;
}

/**
 * Kinds of key parts; signatures (relay/auth/), addresses and requests refer to parts by these names. "key" is an
 * undivided one.
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

/** The permitted formats of a key, distinguished by the number of parts. */
export interface KeyForms {
  /**
   * Separator of the parts; only the first "." counts. "service-account" for Google's key file, a JSON document on one
   * or several lines, whose parts are "email", "secret" (the private key), "project" and "keyId". Omitted for an
   * undivided key.
   */
  separator?: "|" | "." | "service-account";
  /** The channel form shows the one that `isHint`. */
  forms: readonly { parts: readonly KeyPart[]; text: string; isHint?: true }[];
}

/** The channel's field `other`: its meaning, and its default value. */
export interface OtherField {
  meaning: "api-version" | "model-version" | "knowledge-base-id" | "private-address" | "region";
  default?: string;
}

/** Meanings of a vendor's error codes. A code ending in "." stands for all codes with that beginning. */
export type ErrorKinds = Partial<Record<UpstreamErrorKind, readonly (string | number)[]>>;

/** All differences between channel types, as data only. Omitted fields mean the same as OpenAI's API. */
export interface VendorDefinition {
  /** The channel type's number on the wire. */
  type: number;
  /** Its name in Latin letters; relays and knowledge bases get a prefix. Other names are texts of the console (`vendorName`). */
  name: string;
  /** "model" by default. */
  category?: VendorCategory;
  /**
   * Its name in traces, if OpenTelemetry defines one (`gen_ai.provider.name`); by default the name in lower
   * case.
   */
  providerName?: string;
  /** Colour of its badge. */
  color: VendorColor;
  /**
   * Default base address; "" when the channel must have its own: then the form requires it and the server refuses a
   * channel without it.
   */
  baseUrl: string;
  /** Label and example of the form's field for the base address, when the channel must have one. */
  baseUrlField?: { label?: string; example: string };
  /** Its main route: by default Chat Completions below /v1 with the key as a bearer token. */
  route?: Partial<Omit<VendorRoute, "baseUrl">>;
  /** Alternatives to the main route; the first match is used. */
  alternatives?: readonly AlternativeRoute[];
  /**
   * Pattern of this vendor's keys, if few others match it. It is used to guess the vendor of a key: no key is ever sent
   * to a vendor that was only guessed among several.
   */
  keyShape?: RegExp;
  /** Keys accepted when a channel is saved; any by default. */
  keyForms?: KeyForms;
  other?: OtherField;
  /**
   * Further protocols at the same address: a client of one of them is served in its own, so that the bytes pass
   * unchanged.
   */
  extraProtocols?: readonly ClientProtocolName[];
  /** Models offered in only one protocol, whatever the client's; the first match counts. */
  modelProtocols?: readonly { match: RegExp; protocol: ProtocolName }[];
  /** Fields at the top of a request that it refuses instead of ignoring them: they are left out. */
  refusedFields?: readonly string[];
  /** Client headers passed on to it in addition to those of its protocol, in lower case. */
  clientHeaders?: readonly string[];
  /** Origins that document `max_completion_tokens` as a limit, whatever the channel's type. */
  completionLimitOrigins?: RegExp;
  /** Base addresses that name a version of the API though they do not end in one, whatever the channel's type. */
  versionedAddresses?: RegExp;
  /** Error codes that the protocol alone would misinterpret. */
  errorKinds?: ErrorKinds;
  /** Omitted when it has no balance to query. */
  balance?: BalanceSource;
  /**
   * The models that the channel form fills in when this type is chosen and no models are selected yet. OpenAI, Azure
   * and the relays have none (specification section 5): their models are in the form's list, which is the catalogue.
   */
  models?: readonly string[];
  /** Its price lists (docs/reference/prices.md); a model is in only one list of one vendor. */
  prices?: readonly PriceSheet[];
  /** USD for a thousand calls of tools that it runs itself. */
  toolPrices?: Readonly<Record<string, number>>;
}

/** A vendor with all defaults filled in. */
export interface Vendor extends Omit<VendorDefinition, "route" | "errorKinds"> {
  category: VendorCategory;
  /** The main route. */
  route: VendorRoute;
  alternatives: readonly AlternativeRoute[];
  errorKinds: ReadonlyMap<string, UpstreamErrorKind>;
  models: readonly string[];
  prices: readonly PriceSheet[];
}

const PREFIXES: Readonly<Record<VendorCategory, string>> = {
  model: "",
  custom: "",
  "knowledge-base": "Knowledge base: ",
  relay: "Relay: ",
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
  name: PREFIXES[category] + name,
  category,
  route: { protocol: "openai-chat", auth: "bearer", ...route, baseUrl: rest.baseUrl },
  errorKinds: kindsByCode(errorKinds),
});

/** Maps a vendor's own error code to its meaning; undefined when the vendor does not list it. */
export const findErrorKind = ({ errorKinds }: Vendor, code: string): UpstreamErrorKind | undefined =>
  errorKinds.get(code) ?? errorKinds.get(code.slice(0, code.indexOf(".") + 1));
