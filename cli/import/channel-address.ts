import { stripEnd } from "@tollgate/contract/values/strip-end";
import { findVendor, namesVersion } from "@tollgate/vendors/vendors";
import { type KnownType, NAMED_ADDRESSES } from "./channel-types";

/** A base address here; `isChanged` where it differs from the source. */
export type ChannelAddress =
  | { type: number; baseUrl: string; isChanged: boolean }
  | { fault: "missing" | "invalid" | "whole" };

const OPENAI = 1;
const CUSTOM = 8;
const CLOUDFLARE = 37;

const isAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "" && search === "" && hash === "";
};

/** Of new-api's "custom" channels the address is a whole one. */
const baseOfWhole = (address: string): string | undefined => {
  const base = /^(.*)\/chat\/completions$/.exec(address)?.[1];
  if (base === undefined || /[{}]/.test(address)) return undefined;
  return namesVersion(base) ? base : undefined;
};

const isOf = (host: string, address: string): boolean =>
  URL.canParse(address) && new URL(address).hostname === host;

const cloudflareAddress = (accountId: string): ChannelAddress =>
  /^[\w-]+$/.test(accountId)
    ? {
        type: CLOUDFLARE,
        baseUrl: `https://api.cloudflare.com/client/v4/accounts/${accountId}/ai`,
        isChanged: true,
      }
    : { fault: "missing" };

const defaultAddress = (type: number, text: string): ChannelAddress => {
  const isNeeded = (findVendor(type)?.baseUrl ?? "") === "";
  return isNeeded && text === "" ? { fault: "missing" } : { type, baseUrl: "", isChanged: text !== "" };
};

/** @param isDefault whether the source has it from its own list. */
const givenAddress = (type: KnownType, address: string, isDefault: boolean): ChannelAddress => {
  if (address === "") return { fault: "missing" };
  if (!isAddress(address)) return { fault: "invalid" };
  if (type.addressIs === "whole") {
    const baseUrl = baseOfWhole(address);
    return baseUrl === undefined ? { fault: "whole" } : { type: type.type, baseUrl, isChanged: true };
  }
  if (type.addressIs === "versioned" && !namesVersion(address)) return { fault: "whole" };
  // Others of OpenAI's shape have no Responses API: here it is the type that says which protocols an address speaks.
  if (type.type === OPENAI && !isOf("api.openai.com", address))
    return { type: CUSTOM, baseUrl: address, isChanged: true };
  const path =
    type.path !== undefined && !namesVersion(address) && !address.endsWith(type.path) ? type.path : "";
  return { type: type.type, baseUrl: address + path, isChanged: isDefault || path !== "" };
};

/**
 * Where a channel is reached, in the form of this gateway: an address that was the source's own default is left empty, so that
 * the vendor's file decides.
 * @param written the column `base_url`.
 * @param accountId Cloudflare's, from wherever the source keeps it.
 */
export const readAddress = (type: KnownType, written: string, accountId: string): ChannelAddress => {
  const text = stripEnd(written.trim(), "/");
  const named = NAMED_ADDRESSES.get(text);
  if (named?.type === type.type) return { type: type.type, baseUrl: named.address, isChanged: true };
  const isDefault = text === "" || text === type.address;
  if (isDefault && type.type === CLOUDFLARE) return cloudflareAddress(accountId);
  if (isDefault && type.type !== CUSTOM) return defaultAddress(type.type, text);
  return givenAddress(type, isDefault ? (type.address ?? "") : text, isDefault);
};
