import { isIP } from "node:net";
import { isAddressAllowed } from "./outbound-guard";

/** What the guard says of the literal addresses among the origins, which are never looked up. */
const verdicts = new Map<string, boolean>();

/** Whether an origin, or a proxy's address, is a literal address that may not be connected to. */
export const isOriginBlocked = (origin: string): boolean => {
  let verdict = verdicts.get(origin);
  if (verdict === undefined) {
    const host = new URL(origin).hostname.replace(/^\[|\]$/g, "");
    verdict = isIP(host) !== 0 && !isAddressAllowed(host);
    verdicts.set(origin, verdict);
  }
  return verdict;
};
