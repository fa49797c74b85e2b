import { isIP } from "node:net";
import { stripEnd } from "@tollgate/contract/values/strip-end";
import { isAddressAllowed } from "./outbound-guard";

/** The guard's verdicts on literal addresses in origins, which are never looked up. */
const verdicts = new Map<string, boolean>();
/** Addresses of channels change; evicted ones are just checked again. */
const MAX_VERDICTS = 10_000;

/**
 * Names that lead to a metadata service in its cloud. Connections of this program are refused by the address that a name
 * has; a proxy looks names up by itself.
 */
const METADATA_NAMES = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "metadata.tencentyun.com",
  "instance-data",
  "instance-data.ec2.internal",
]);

/**
 * The host of an origin, or of a proxy's address, without the brackets of IPv6. `URL` brings hosts into their normal form only
 * behind the schemes that it knows.
 */
export const hostOf = (origin: string): string =>
  new URL(origin.replace(/^socks5h?:/i, "http:")).hostname.replace(/^\[|\]$/g, "");

/** Whether an origin, or a proxy's address, is blocked as a literal address or by name. */
export const isOriginBlocked = (origin: string): boolean => {
  let verdict = verdicts.get(origin);
  if (verdict === undefined) {
    const host = hostOf(origin);
    verdict = isIP(host) === 0 ? METADATA_NAMES.has(stripEnd(host, ".")) : !isAddressAllowed(host);
    if (verdicts.size >= MAX_VERDICTS) verdicts.clear();
    verdicts.set(origin, verdict);
  }
  return verdict;
};
