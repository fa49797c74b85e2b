import { createHash } from "node:crypto";
import type { Channel } from "@tollgate/contract/api/channels";
import type { ChannelOverrides } from "@tollgate/contract/management/channel-overrides";
import { mainUpstreamName } from "@tollgate/contract/management/model-mapping";
import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import { stripEnd } from "@tollgate/contract/values/strip-end";
import { UPSTREAM_PROTOCOLS } from "@tollgate/protocols/protocols";
import { createConcealer } from "@tollgate/protocols/shared/errors/conceal-secrets";
import type { AlternativeRoute, KeyParts, Vendor, VendorRoute } from "@tollgate/vendors/define-vendor";
import { findVendor, namesVersion } from "@tollgate/vendors/vendors";
import { createAuthorizer } from "../auth/create-authorizer";
import { staticHeaders } from "../auth/static-headers";
import { channelSubject, upstreamSubjects } from "../limits/upstream-subjects";
import type { UpstreamTarget } from "../ports/directory";
import { adaptProtocol } from "./adapt-protocol";
import { protocolOf } from "./addressing";
import { readKeyParts } from "./key-parts";
import { type PreparedOverrides, prepareOverrides } from "./prepare-overrides";
import { isRegion, regionAddress } from "./region-address";

/** Names a key without telling it. */
export const nameKey = (key: string): string =>
  createHash("sha256").update(key).digest("base64url").slice(0, 12);

/** The keys of a channel: one on each line of its secret. */
export const splitKeys = (secret: string): string[] => secret.split("\n").filter((key) => key !== "");

/** The secret fields of a channel. */
export interface ChannelSecrets {
  /** The upstream credentials in clear, one on each line. */
  key: string;
  /** Address of a proxy, with its credentials; "" for a direct connection. */
  proxy: string;
  /** Changes to its requests, headers in clear. */
  requestChanges?: ChannelOverrides | undefined;
}

/** The secrets in a key: all of it, its parts, and the lines of a document. */
const secretsOf = (vendor: Vendor, key: string): string[] =>
  [key, ...Object.values(readKeyParts(vendor, key) ?? {})].flatMap((secret) => [
    secret,
    ...secret.split(/\s+/),
  ]);

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
 * Creates the targets of a channel's keys.
 * @param deadKeys names (see nameKey) of disabled keys.
 * @returns one entry per usable key; empty when the gateway cannot relay to the channel.
 */
export const createUpstreamTargets = (
  channel: Channel,
  { key: secret, proxy, requestChanges }: ChannelSecrets,
  deadKeys: readonly string[] = [],
): UpstreamTarget[] => {
  const keys = splitKeys(secret).filter((key) => !deadKeys.includes(nameKey(key)));
  const ofChannel = channelSubject(channel);
  return keys.flatMap((key) => {
    const overrides = requestChanges && prepareOverrides(requestChanges, key);
    const entry = createUpstreamTarget(channel, key, overrides);
    if (!entry) return [];
    const conceal = createConcealer([
      ...secretsOf(entry.vendor, key),
      ...proxySecrets(proxy),
      ...(overrides?.secrets ?? []),
    ]);
    const limited = upstreamSubjects(channel, entry.id, ofChannel);
    const shared = { proxy, keyCount: keys.length, conceal, limited };
    const byModel = entry.byModel?.map(({ models, entry: other }) => ({
      models,
      entry: { ...other, ...shared },
    }));
    return [{ ...entry, ...shared, ...(byModel ? { byModel } : {}) }];
  });
};

/**
 * Creates the target of a channel with one of its keys.
 * @param key the upstream credential in clear.
 * @param overrides changes to its requests.
 * @returns undefined when the gateway cannot relay to it: an unknown type, no usable address, an invalid key format.
 */
export const createUpstreamTarget = (
  channel: Channel,
  key: string,
  overrides?: PreparedOverrides,
): UpstreamTarget | undefined => {
  const vendor = findVendor(channel.type);
  const parts = vendor && readKeyParts(vendor, key);
  if (!vendor || !parts) return undefined;
  const create = (route: VendorRoute): UpstreamTarget | undefined =>
    createRouteTarget(channel, vendor, route, key, parts, overrides);
  const fitting = vendor.alternatives.filter((route) => fits(route, channel, parts));
  const entry = create(fitting.find((route) => route.models === undefined) ?? vendor.route);
  if (!entry) return undefined;
  const byModel: { models: RegExp; entry: UpstreamTarget }[] = [];
  for (const route of fitting) {
    const other = route.models === undefined ? undefined : create(route);
    if (route.models && other) byModel.push({ models: route.models, entry: other });
  }
  return byModel.length === 0 ? entry : { ...entry, byModel };
};

/** The channel's name for a client's model; of several, the one with the largest weight. */
export const upstreamModelOf = ({ modelMapping }: Pick<Channel, "modelMapping">, model: string): string =>
  mainUpstreamName(modelMapping, model);

/** The route of a channel for a model (after its mapping). */
export const routeFor = (entry: UpstreamTarget, model: string): UpstreamTarget =>
  entry.byModel?.find(({ models }) => models.test(model))?.entry ?? entry;

const fits = (route: AlternativeRoute, channel: Channel, keyParts: KeyParts): boolean =>
  (route.keyPart === undefined || keyParts[route.keyPart] !== undefined) &&
  (route.baseUrlEnd === undefined || route.baseUrlEnd.test(channel.baseUrl));

/** The region of a channel, "" for none; undefined when the typed value is not a region. */
const regionOf = ({ other }: Channel, { other: setting }: Vendor, keyParts: KeyParts): string | undefined => {
  if (setting?.meaning !== "region") return keyParts.region ?? "";
  const region = other || (setting.default ?? "");
  return isRegion(region) ? region : undefined;
};

const createRouteTarget = (
  channel: Channel,
  vendor: Vendor,
  route: VendorRoute,
  key: string,
  keyParts: KeyParts,
  overrides: PreparedOverrides | undefined,
): UpstreamTarget | undefined => {
  const region = regionOf(channel, vendor, keyParts);
  if (region === undefined) return undefined;
  const ownBase = regionAddress(route, region);
  const base = chooseBase(channel, vendor, ownBase);
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const hasVersion = namesVersion(base);
  const apiPath = (route.apiPath ?? "")
    .replace("{project}", keyParts.project ?? "")
    .replace("{region}", region);
  return {
    id: `${channel.id}/${nameKey(key)}`,
    keyCount: 1,
    proxy: "",
    conceal: createConcealer(Object.values(keyParts)),
    channel,
    vendor,
    route,
    protocol: adaptProtocol(protocolOf(route), route, vendor),
    origin: route.isSocket ? url.origin.replace(/^http/, "ws") : url.origin,
    basePath: stripEnd(url.pathname, "/") + (hasVersion ? "" : apiPath),
    hasVersion: hasVersion || route.apiPath !== undefined,
    headers: { ...route.headers, ...staticHeaders(route.auth, key), ...overrides?.headers },
    authorizer: createAuthorizer(route.auth, keyParts, signedHost(url, ownBase)),
    fields: { other: channel.other, accountId: keyParts.accountId ?? "" },
    ...(overrides ? { overrides } : {}),
  };
};

/**
 * The channel as the target for a model: in the only protocol in which the vendor offers it, else in the client's own
 * if the vendor supports it, else in its main one.
 * @param model the name after the channel's mapping.
 */
export const resolveTarget = (
  entry: UpstreamTarget,
  client: ClientProtocolName,
  model: string,
): UpstreamTarget => {
  const target = routeFor(entry, model);
  const { route, vendor } = target;
  const name =
    vendor.modelProtocols?.find(({ match }) => match.test(model))?.protocol ??
    (vendor.extraProtocols?.includes(client) ? client : target.protocol.name);
  if (name === target.protocol.name) return target;
  return { ...target, protocol: adaptProtocol(UPSTREAM_PROTOCOLS[name], route, vendor) };
};

/** The channel's own address; for a private deployment the address in its field for that; else the vendor's. */
const chooseBase = (channel: Channel, vendor: Vendor, ownBase: string): string => {
  const isPrivate = vendor.other?.meaning === "private-address" && channel.other !== "";
  return stripEnd(channel.baseUrl || (isPrivate ? channel.other : ownBase), "/");
};

/** The vendor's own host is signed, even behind a proxy, because the vendor checks signatures against it. */
const signedHost = (url: URL, ownBase: string): string => {
  if (!URL.canParse(ownBase)) return url.host;
  const { host, hostname } = new URL(ownBase);
  const domain = hostname.split(".").slice(-2).join(".");
  return url.hostname.endsWith(`.${domain}`) ? url.host : host;
};
