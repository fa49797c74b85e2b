import type { Channel } from "@tollgate/contract/control/channel";
import { UPSTREAM_PROTOCOLS } from "@tollgate/protocols/protocols";
import { findVendor } from "@tollgate/vendors/vendors";
import type { ChannelEntry } from "../ports";

/** Ends of a base address that already name an API version. */
const VERSIONED = /\/(?:v\d+(?:beta)?|compatible-mode\/v1|v1beta\/openai|paas\/v4)$/;

/** Cloudflare's AI gateway addresses end in the vendor's name and take paths without a version. */
const CLOUDFLARE_GATEWAY = "https://gateway.ai.cloudflare.com";

/**
 * Works out how a channel is reached.
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
    vendor.auth === "x-api-key" ? { "x-api-key": key } : { authorization: `Bearer ${key}` };
  return {
    channel,
    vendor,
    protocol: UPSTREAM_PROTOCOLS[vendor.protocol],
    origin: url.origin,
    basePath: url.pathname.replace(/\/+$/, ""),
    hasVersion: VERSIONED.test(base) || base.startsWith(CLOUDFLARE_GATEWAY),
    headers: { ...vendor.headers, ...credential },
  };
};

/** The path to ask for: an operation's path below the channel's base address. */
export const upstreamPath = (entry: ChannelEntry, path: string): string =>
  entry.basePath + (entry.hasVersion && path.startsWith("/v1/") ? path.slice(3) : path);
