import { RequestInvalid, type UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import type { ChatRequest, FilePart, ImagePart, UserPart } from "@tollgate/contract/relay/request";
import type { RequestMemory } from "../ports/limits";
import type { FetchedMedia, RelayPorts } from "../ports/relay-ports";
import { MAX_MEDIA_BYTES, MediaUnavailable } from "../transport/fetch-media";

export type PrefetchedMedia = ReadonlyMap<string, FetchedMedia>;

/** Media that an upstream does not fetch itself. */
type Needs = Pick<UpstreamProtocol, "needsImageData" | "needsFileData">;

/** More than clients usually send at once, and few enough to be fetched sequentially. */
const MAX_MEDIA = 16;
/** Total for one request. */
const TIMEOUT_MS = 20_000;

/** The addresses of a request's images and documents, each once, those in results of tools among them. */
export const mediaAddresses = ({ turns }: ChatRequest, needs: Needs): string[] => {
  const addresses = new Set<string>();
  for (const turn of turns) {
    if (turn.role !== "user") continue;
    for (const part of turn.parts.flatMap(mediaIn)) {
      if (part.data === undefined && part.url !== undefined && isNeeded(part.kind, part.url, needs)) {
        addresses.add(part.url);
      }
    }
  }
  return [...addresses];
};

const isNeeded = (kind: Media["kind"], url: string, { needsImageData, needsFileData }: Needs): boolean =>
  kind === "image" ? needsImageData === true : needsFileData?.(url) === true;

type Media = ImagePart | FilePart;

const mediaIn = (part: UserPart): Media[] => {
  if (part.kind === "image" || part.kind === "file") return [part];
  return part.kind === "tool-result" ? part.content.filter((piece) => piece.kind !== "text") : [];
};

/**
 * Fetches images and documents sequentially, within one limit of size and time.
 * @param left signals that no caller waits for them any more.
 * @throws RequestInvalid that names the host and the reason when one cannot be fetched; MemoryRefused.
 */
export const prefetchMedia = async (
  fetchMedia: RelayPorts["fetchMedia"],
  addresses: readonly string[],
  memory: Pick<RequestMemory, "take">,
  left: AbortSignal,
): Promise<PrefetchedMedia> => {
  if (addresses.length > MAX_MEDIA) {
    throw new RequestInvalid({ code: "too-many-media-addresses", max: MAX_MEDIA }, "messages");
  }
  const media = new Map<string, FetchedMedia>();
  const signal = AbortSignal.any([left, AbortSignal.timeout(TIMEOUT_MS)]);
  let bytesLeft = MAX_MEDIA_BYTES;
  for (const address of addresses) {
    try {
      const one = await fetchMedia(address, bytesLeft, signal, memory);
      bytesLeft -= Buffer.byteLength(one.data, "base64");
      media.set(address, one);
    } catch (error) {
      if (!(error instanceof MediaUnavailable)) throw error;
      throw new RequestInvalid({ ...error.reason, host: hostOf(address) }, "messages");
    }
  }
  return media;
};

/** Only the host is reported, because the rest of the address may contain a secret. */
const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : "…");

/** The request with data in place of the fetched addresses. */
export const withMediaData = (request: ChatRequest, media: PrefetchedMedia): ChatRequest => {
  const inline = <Kind extends Media>(part: Kind): Kind => {
    const found = part.url === undefined ? undefined : media.get(part.url);
    return found ? { ...part, ...found, url: undefined } : part;
  };
  const inlinePart = (part: UserPart): UserPart => {
    if (part.kind === "image" || part.kind === "file") return inline(part);
    if (part.kind !== "tool-result") return part;
    return {
      ...part,
      content: part.content.map((piece) => (piece.kind === "text" ? piece : inline(piece))),
    };
  };
  return {
    ...request,
    turns: request.turns.map((turn) =>
      turn.role === "user" ? { ...turn, parts: turn.parts.map(inlinePart) } : turn,
    ),
  };
};
