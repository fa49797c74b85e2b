import type { UpstreamFault } from "@tollgate/contract/relay/upstream-fault";
import { MemoryRefused } from "../memory-refused";
import type { RequestMemory } from "../ports/limits";
import type { RelayPorts } from "../ports/relay-ports";

/** All pictures of one answer: written as base64, they stay below the largest answer that is read. */
const MAX_BYTES = 40 * 1024 * 1024;
/** For all of them together. */
const TIMEOUT_MS = 60_000;

/** The answer with its pictures as data, in pieces; or the reason why it cannot be had. */
export type FetchedPictures = { pieces: readonly Buffer[] } | { fault: UpstreamFault };

/** Only the host is reported, because the rest of the address contains the vendor's signature. */
const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : "…");

/** Writes an answer with data in place of the first occurrence of each address. */
const withData = (body: unknown, data: ReadonlyMap<string, string>): Buffer[] => {
  const pieces: Buffer[] = [];
  let rest = JSON.stringify(body);
  // In the order in which they occur, so that each piece of text is cut once.
  const places = [...data.keys()]
    .map((address) => ({ address, quoted: JSON.stringify(address) }))
    .map((place) => ({ ...place, at: rest.indexOf(place.quoted) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at);
  let done = 0;
  for (const { address, quoted, at } of places) {
    pieces.push(Buffer.from(`${rest.slice(0, at - done)}"`), Buffer.from(data.get(address) ?? "", "latin1"));
    pieces.push(Buffer.from('"'));
    rest = rest.slice(at - done + quoted.length);
    done = at + quoted.length;
  }
  pieces.push(Buffer.from(rest));
  return pieces;
};

/**
 * Fetches an answer's pictures, one after another, within one limit of size and time. Only public addresses are
 * fetched: an upstream may name any.
 * @param addresses values of texts in `body`. @param left signals that the request has ended.
 */
export const fetchPictures = async (
  fetchMedia: RelayPorts["fetchMedia"],
  body: unknown,
  addresses: readonly string[],
  memory: Pick<RequestMemory, "take">,
  left: AbortSignal,
): Promise<FetchedPictures> => {
  const signal = AbortSignal.any([left, AbortSignal.timeout(TIMEOUT_MS)]);
  const data = new Map<string, string>();
  let bytesLeft = MAX_BYTES;
  for (const address of new Set(addresses)) {
    const fault: UpstreamFault = { code: "picture-unfetched", host: hostOf(address) };
    try {
      const one = await fetchMedia(address, bytesLeft, signal, memory);
      if (!one.mediaType.startsWith("image/")) return { fault };
      bytesLeft -= Buffer.byteLength(one.data, "base64");
      data.set(address, `data:${one.mediaType};base64,${one.data}`);
    } catch (error) {
      return { fault: error instanceof MemoryRefused ? { code: "picture-without-memory" } : fault };
    }
  }
  return { pieces: withData(body, data) };
};
