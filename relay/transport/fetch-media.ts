import { isIP } from "node:net";
import type { RequestFault } from "@tollgate/contract/relay/request-fault";
import { BytePieces } from "@tollgate/protocols/shared/json/byte-pieces";
import { imageMediaType } from "@tollgate/protocols/shared/messages/image-media-type";
import type { Agent, Response } from "undici";
import { MemoryRefused } from "../memory-refused";
import type { RequestMemory } from "../ports/limits";
import type { FetchedMedia } from "../ports/relay-ports";
import { isAddressPublic, publicLookup } from "./outbound-guard";

/** Why an image or a document cannot be had. */
type MediaFault = Extract<RequestFault, { host: string }>;
/** The same without the host, which the caller already knows. */
export type MediaReason = MediaFault extends infer Each
  ? Each extends MediaFault
    ? Omit<Each, "host">
    : never
  : never;

/** An image or a document that cannot be had. */
export class MediaUnavailable extends Error {
  override readonly name = "MediaUnavailable";
  constructor(readonly reason: MediaReason) {
    super(reason.code);
  }
}

/** Replaces the network route, for tests. */
export interface MediaRoute {
  isAddressAllowed: (address: string) => boolean;
  dispatcher: Agent;
}

let publicRoute: MediaRoute | undefined;

/** Made when it is needed first: undici takes megabytes, and most requests name no address. */
const routeToPublic = async (): Promise<MediaRoute> => {
  const { Agent } = await import("undici");
  publicRoute ??= {
    isAddressAllowed: isAddressPublic,
    dispatcher: new Agent({ connect: { lookup: publicLookup } }),
  };
  return publicRoute;
};

const MAX_REDIRECTS = 3;

/** "%PDF-1" in base64, without the bits of the next byte. */
const PDF = "JVBERi0";

/**
 * Fetches an image or a document from a public address. The first bytes determine its type: PNG, JPEG, GIF, WebP or
 * PDF.
 * @param maxBytes reading stops at this size.
 * @param memory reserves space for arriving bytes, piece by piece.
 * @throws MediaUnavailable, MemoryRefused
 */
export const fetchMedia = async (
  url: string,
  maxBytes: number,
  signal: AbortSignal,
  memory: Pick<RequestMemory, "take">,
  route?: MediaRoute,
): Promise<FetchedMedia> => {
  try {
    const response = await follow(url, signal, route ?? (await routeToPublic()));
    const data = (await readBytes(response, maxBytes, memory)).toString("base64");
    const mediaType = data.startsWith(PDF) ? "application/pdf" : imageMediaType(data, undefined);
    if (mediaType === undefined) throw new MediaUnavailable({ code: "media-of-unknown-type" });
    return { data, mediaType };
  } catch (error) {
    if (error instanceof MediaUnavailable || error instanceof MemoryRefused) throw error;
    // Omits the connection error, which could reveal hosts of the gateway's own network.
    throw new MediaUnavailable({ code: signal.aborted ? "media-too-late" : "media-out-of-reach" });
  }
};

const follow = async (url: string, signal: AbortSignal, route: MediaRoute): Promise<Response> => {
  const { fetch } = await import("undici");
  let address = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const target = new URL(address);
    if (target.protocol !== "https:" && target.protocol !== "http:") break;
    const host = target.hostname.replace(/^\[|\]$/g, "");
    // Literal addresses are never looked up, so the guard has to see them here.
    if (isIP(host) !== 0 && !route.isAddressAllowed(host)) break;
    const headers = { accept: "image/*,application/pdf" };
    const response = await fetch(address, {
      headers,
      redirect: "manual",
      signal,
      dispatcher: route.dispatcher,
    });
    const next = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
    if (next === null) {
      if (response.ok) return response;
      await response.body?.cancel();
      throw new MediaUnavailable({ code: "media-refused", status: response.status });
    }
    await response.body?.cancel();
    address = new URL(next, address).href;
  }
  throw new MediaUnavailable({ code: "media-out-of-reach" });
};

/** Number of copies of the fetched data in memory at once: as received, as base64, and in the upstream request. */
const COPIES = 3;

const readBytes = async (
  response: Response,
  maxBytes: number,
  memory: Pick<RequestMemory, "take">,
): Promise<Buffer> => {
  const tooLarge = new MediaUnavailable({ code: "media-too-large", maxMib: MAX_MEDIA_MIB });
  const gathered = new BytePieces();
  for await (const piece of response.body ?? []) {
    const { buffer, byteOffset, length } = piece as Uint8Array;
    if (gathered.length + length > maxBytes) throw tooLarge;
    const refusal = memory.take(length * COPIES);
    if (refusal) throw new MemoryRefused(refusal);
    gathered.push(Buffer.from(buffer, byteOffset, length));
  }
  return gathered.take();
};

const MIB = 1024 * 1024;
const MAX_MEDIA_MIB = 20;

/** The most that the images and documents of one request may weigh together. */
export const MAX_MEDIA_BYTES = MAX_MEDIA_MIB * MIB;
