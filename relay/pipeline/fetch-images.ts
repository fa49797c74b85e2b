import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { ChatRequest, ImagePart, UserPart } from "@tollgate/contract/relay/request";
import type { FetchedImage, RelayPorts } from "../ports";
import { MAX_IMAGES_BYTES } from "../transport/fetch-image";

/** Images as data, by the address that the client named. */
export type FetchedImages = ReadonlyMap<string, FetchedImage>;

/** More than anybody shows to a model at once, and few enough to be fetched one after the other. */
const MAX_IMAGES = 16;
/** For all images of a request together. */
const TIMEOUT_MS = 20_000;

/** The addresses of a request's images, each once, those in results of tools among them. */
export const imageAddresses = ({ turns }: ChatRequest): string[] => {
  const addresses = new Set<string>();
  for (const turn of turns) {
    if (turn.role !== "user") continue;
    for (const part of turn.parts.flatMap(imagesIn)) {
      if (part.data === undefined && part.url !== undefined) addresses.add(part.url);
    }
  }
  return [...addresses];
};

const imagesIn = (part: UserPart): ImagePart[] => {
  if (part.kind === "image") return [part];
  return part.kind === "tool-result" ? part.content.filter((piece) => piece.kind === "image") : [];
};

/**
 * Fetches images one after the other, within one limit of size and time.
 * @throws RequestInvalid that names the host and the reason when one cannot be had.
 */
export const fetchImages = async (
  fetchImage: RelayPorts["fetchImage"],
  addresses: readonly string[],
): Promise<FetchedImages> => {
  if (addresses.length > MAX_IMAGES) {
    throw new RequestInvalid(
      `at most ${MAX_IMAGES} images may be named by their address for the upstream of this model, send their data`,
      "messages",
    );
  }
  const images = new Map<string, FetchedImage>();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let bytesLeft = MAX_IMAGES_BYTES;
  for (const address of addresses) {
    try {
      const image = await fetchImage(address, bytesLeft, signal);
      bytesLeft -= Buffer.byteLength(image.data, "base64");
      images.set(address, image);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new RequestInvalid(
        `the image at ${hostOf(address)} cannot be used: ${reason}; send its data instead`,
        "messages",
      );
    }
  }
  return images;
};

/** What stands behind the host may be somebody's secret. */
const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : "its address");

/** The request with data in place of the addresses that were fetched. */
export const withImageData = (request: ChatRequest, images: FetchedImages): ChatRequest => {
  const inline = (part: ImagePart): ImagePart => {
    const image = part.url === undefined ? undefined : images.get(part.url);
    return image ? { kind: "image", ...image, detail: part.detail } : part;
  };
  const inlinePart = (part: UserPart): UserPart => {
    if (part.kind === "image") return inline(part);
    if (part.kind !== "tool-result") return part;
    return {
      ...part,
      content: part.content.map((piece) => (piece.kind === "image" ? inline(piece) : piece)),
    };
  };
  return {
    ...request,
    turns: request.turns.map((turn) =>
      turn.role === "user" ? { ...turn, parts: turn.parts.map(inlinePart) } : turn,
    ),
  };
};
