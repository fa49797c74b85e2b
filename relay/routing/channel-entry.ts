import { createHash } from "node:crypto";
import type { Channel } from "@tollgate/contract/control/channel";
import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import { stripEnd } from "@tollgate/contract/values/strip-end";
import { UPSTREAM_PROTOCOLS, VERTEX_PROTOCOLS } from "@tollgate/protocols/protocols";
import { createConcealer } from "@tollgate/protocols/shared/conceal-secrets";
import { speechOf } from "@tollgate/vendors/speech";
import type { AlternativeRoute, Vendor, VendorRoute } from "@tollgate/vendors/vendor";
import { findVendor } from "@tollgate/vendors/vendors";
import { findWays, mainRouteOf } from "@tollgate/vendors/ways";
import { createAuthorizer } from "../auth/create-authorizer";
import { staticHeaders } from "../auth/static-headers";
import type { ChannelEntry } from "../ports";
import { adaptProtocol } from "./adapt-protocol";
import { azurePath, deploymentOf, hasStreamOptions } from "./azure-address";
import { isKeyWellFormed, splitKey } from "./key-parts";
import { fillRegion, isRegion } from "./region-address";

/** Ends of a base address that already name an API version. */
const VERSIONED = /\/(?:v\d+(?:beta)?|compatible-mode\/v1|v1beta\/openai|paas\/v4)$/;

/** What Cohere's addresses of OpenAI's shape end in, beside which its own API stands. */
const COHERE_COMPATIBLE = /\/compatibility(?:\/v1)?$/;

/** Cloudflare's AI gateway addresses end in the vendor's name and take paths without a version. */
export const CLOUDFLARE_GATEWAY = "https://gateway.ai.cloudflare.com";

/** Names a key without telling it. */
export const nameKey = (key: string): string =>
  createHash("sha256").update(key).digest("base64url").slice(0, 12);

/** The keys of a channel: one on each line of its secret. */
export const splitKeys = (secret: string): string[] => secret.split("\n").filter((key) => key !== "");

/** What of a channel is never told to anybody. */
export interface ChannelSecrets {
  /** The upstream credentials in clear, one on each line. */
  key: string;
  /** Address of an HTTP proxy, with its credentials; "" for a direct connection. */
  proxy: string;
}

/** What of a key must not be told: all of it, its parts, and of a document its lines. */
const secretsOf = (channel: Channel, key: string): string[] =>
  [key, ...splitKey(channel.type, key)].flatMap((secret) => [secret, ...secret.split(/\s+/)]);

/** A proxy's name and password, as they are written and as they are sent. */
const proxySecrets = (proxy: string): string[] => {
  if (!URL.canParse(proxy)) return [];
  const { username, password } = new URL(proxy);
  if (password === "") return [];
  const plain = decodeSegment(password);
  return [password, plain, `${decodeSegment(username)}:${plain}`];
};

const decodeSegment = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/**
 * Works out how the keys of a channel are used.
 * @param deadKeys names (see nameKey) of keys that are not to be used.
 * @returns one entry for each key that may be used; none when the gateway cannot relay to the channel.
 */
export const createChannelEntries = (
  channel: Channel,
  { key: secret, proxy }: ChannelSecrets,
  deadKeys: readonly string[] = [],
): ChannelEntry[] => {
  const keys = splitKeys(secret).filter((key) => !deadKeys.includes(nameKey(key)));
  return keys.flatMap((key) => {
    const entry = createChannelEntry(channel, key);
    if (!entry) return [];
    const conceal = createConcealer([...secretsOf(channel, key), ...proxySecrets(proxy)]);
    const shared = { proxy, keyCount: keys.length, conceal };
    const byModel = entry.byModel?.map(({ models, entry: other }) => ({
      models,
      entry: { ...other, ...shared },
    }));
    return [{ ...entry, ...shared, ...(byModel ? { byModel } : {}) }];
  });
};

/**
 * Works out how a channel is reached with one of its keys.
 * @param key the upstream credential in clear.
 * @returns undefined when the gateway cannot relay to it: an unknown type, no usable address, a key of another form.
 */
export const createChannelEntry = (channel: Channel, key: string): ChannelEntry | undefined => {
  const vendor = findVendor(channel.type);
  const main = mainRouteOf(channel.type);
  if (!vendor || !main || !isKeyWellFormed(vendor.type, key)) return undefined;
  const parts = splitKey(vendor.type, key);
  const create = (route: VendorRoute): ChannelEntry | undefined =>
    createRouteEntry(channel, vendor, route, key, parts);
  const fitting = (findWays(vendor.type).alternatives ?? []).filter((route) => fits(route, channel, parts));
  const entry = create(fitting.find((route) => route.models === undefined) ?? main);
  if (!entry) return undefined;
  const byModel: { models: RegExp; entry: ChannelEntry }[] = [];
  for (const route of fitting) {
    const other = route.models === undefined ? undefined : create(route);
    if (route.models && other) byModel.push({ models: route.models, entry: other });
  }
  return byModel.length === 0 ? entry : { ...entry, byModel };
};

/** How a channel is reached for a model (after its mapping). */
export const routeFor = (entry: ChannelEntry, model: string): ChannelEntry =>
  entry.byModel?.find(({ models }) => models.test(model))?.entry ?? entry;

const fits = (route: AlternativeRoute, channel: Channel, keyParts: readonly string[]): boolean =>
  (route.keyParts === undefined || route.keyParts.includes(keyParts.length)) &&
  (route.baseUrlEnd === undefined || route.baseUrlEnd.test(channel.baseUrl));

const createRouteEntry = (
  channel: Channel,
  vendor: Vendor,
  route: VendorRoute,
  key: string,
  keyParts: readonly string[],
): ChannelEntry | undefined => {
  const third = keyParts[2] ?? "";
  const isRegional = vendor.other?.meaning === "region";
  const region = isRegional ? channel.other || (vendor.other?.default ?? "") : third;
  if (isRegional && !isRegion(region)) return undefined;
  const ownBase = fillRegion(route.baseUrl, region);
  const base = chooseBase(channel, vendor, ownBase);
  let url: URL;
  try {
    url = new URL(base);
  } catch {
    return undefined;
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  const hasVersion = VERSIONED.test(base) || base.startsWith(CLOUDFLARE_GATEWAY);
  const apiPath = (route.apiPath ?? "").replace("{project}", third).replace("{region}", region);
  const vertexProtocol = route.addressing === "vertex" ? VERTEX_PROTOCOLS[route.protocol] : undefined;
  return {
    id: `${channel.id}/${nameKey(key)}`,
    keyCount: 1,
    proxy: "",
    conceal: createConcealer(keyParts),
    channel,
    vendor,
    route,
    protocol: adaptProtocol(vertexProtocol ?? UPSTREAM_PROTOCOLS[route.protocol], route, vendor.type),
    origin: route.isSocket ? url.origin.replace(/^http/, "ws") : url.origin,
    basePath: stripEnd(url.pathname, "/") + (hasVersion ? "" : apiPath),
    hasVersion: hasVersion || route.apiPath !== undefined,
    headers: { ...route.headers, ...staticHeaders(route.auth, key) },
    authorizer: createAuthorizer(route.auth, keyParts, signedHost(url, ownBase)),
    target: { other: channel.other, accountId: keyParts.length > 1 ? (keyParts[0] ?? "") : "" },
  };
};

/**
 * The channel as it is asked for a model: in the only protocol in which the vendor offers it, else in the client's own
 * if the vendor speaks it, else in its main one.
 * @param model the name after the channel's mapping.
 */
export const entryFor = (entry: ChannelEntry, client: ClientProtocolName, model: string): ChannelEntry => {
  const way = routeFor(entry, model);
  const { alsoSpeaks, modelProtocols } = speechOf(way.vendor.type);
  const name =
    modelProtocols?.find(({ match }) => match.test(model))?.protocol ??
    (alsoSpeaks?.includes(client) ? client : way.protocol.name);
  if (name === way.protocol.name) return way;
  return { ...way, protocol: adaptProtocol(UPSTREAM_PROTOCOLS[name], way.route, way.vendor.type) };
};

/** The channel's own address, or where its field for a private deployment says so that, or the vendor's. */
const chooseBase = (channel: Channel, vendor: Vendor, ownBase: string): string => {
  const isPrivate = vendor.other?.meaning === "private-address" && channel.other !== "";
  return stripEnd(channel.baseUrl || (isPrivate ? channel.other : ownBase), "/");
};

/** A vendor checks signatures against its own name, so that is what is signed for even when a proxy is asked. */
const signedHost = (url: URL, ownBase: string): string => {
  if (!URL.canParse(ownBase)) return url.host;
  const { host, hostname } = new URL(ownBase);
  const domain = hostname.split(".").slice(-2).join(".");
  return url.hostname.endsWith(`.${domain}`) ? url.host : host;
};

/**
 * The path to ask for.
 * @param path an operation's path below a base address, as its protocol names it.
 * @param model what the upstream is asked for, for vendors whose paths name it.
 */
export const upstreamPath = (entry: ChannelEntry, path: string, model = ""): string => {
  if (entry.route.addressing === "azure-deployments") {
    return azurePath(entry, path, deploymentOf(entry.channel, model));
  }
  if (entry.route.addressing === "cohere" && path.startsWith("/v2/")) {
    return entry.basePath.replace(COHERE_COMPATIBLE, "") + path;
  }
  return entry.basePath + (entry.hasVersion ? path.replace(/^\/v1(?:beta)?(?=\/)/, "") : path);
};

/** Whether a stream may be asked for its usage. */
export const takesStreamOptions = (entry: ChannelEntry): boolean =>
  entry.route.addressing !== "azure-deployments" || hasStreamOptions(entry.channel.other);
