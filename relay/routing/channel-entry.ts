import { createHash } from "node:crypto";
import type { Channel } from "@tollgate/contract/control/channel";
import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import { UPSTREAM_PROTOCOLS } from "@tollgate/protocols/protocols";
import { speechOf } from "@tollgate/vendors/speech";
import { findVendor } from "@tollgate/vendors/vendors";
import type { ChannelEntry } from "../ports";

/** Ends of a base address that already name an API version. */
const VERSIONED = /\/(?:v\d+(?:beta)?|compatible-mode\/v1|v1beta\/openai|paas\/v4)$/;

/** Cloudflare's AI gateway addresses end in the vendor's name and take paths without a version. */
const CLOUDFLARE_GATEWAY = "https://gateway.ai.cloudflare.com";

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
    return entry ? [{ ...entry, proxy, keyCount: keys.length }] : [];
  });
};

/**
 * Works out how a channel is reached with one of its keys.
 * @param key the upstream credential in clear.
 * @returns undefined when the gateway cannot relay to it: an unknown type, a type without a protocol, no usable address.
 */
export const createChannelEntry = (channel: Channel, key: string): ChannelEntry | undefined => {
  const vendor = findVendor(channel.type);
  if (vendor?.protocol === undefined) return undefined;
  const base = (channel.baseUrl === "" ? vendor.baseUrl : channel.baseUrl).replace(/\/+$/, "");
  let url: URL;
  try {
    url = new URL(base);
  } catch {
    return undefined;
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  const credential: Record<string, string> =
    vendor.auth === "bearer" ? { authorization: `Bearer ${key}` } : { [vendor.auth]: key };
  return {
    id: `${channel.id}/${nameKey(key)}`,
    keyCount: 1,
    proxy: "",
    channel,
    vendor,
    protocol: UPSTREAM_PROTOCOLS[vendor.protocol],
    origin: url.origin,
    basePath: url.pathname.replace(/\/+$/, ""),
    hasVersion: VERSIONED.test(base) || base.startsWith(CLOUDFLARE_GATEWAY),
    headers: { ...vendor.headers, ...credential },
  };
};

/**
 * The channel as it is asked for a model: in the only protocol in which the vendor offers it, else in the client's own
 * if the vendor speaks it, else in its main one.
 * @param model the name after the channel's mapping.
 */
export const entryFor = (entry: ChannelEntry, client: ClientProtocolName, model: string): ChannelEntry => {
  const { alsoSpeaks, modelProtocols } = speechOf(entry.vendor.type);
  const name =
    modelProtocols?.find(({ match }) => match.test(model))?.protocol ??
    (alsoSpeaks?.includes(client) ? client : entry.protocol.name);
  return name === entry.protocol.name ? entry : { ...entry, protocol: UPSTREAM_PROTOCOLS[name] };
};

/** The path to ask for: an operation's path below the channel's base address. */
export const upstreamPath = (entry: ChannelEntry, path: string): string =>
  entry.basePath + (entry.hasVersion ? path.replace(/^\/v1(?:beta)?(?=\/)/, "") : path);
