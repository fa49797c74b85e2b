import { isIP } from "node:net";
import { imageMediaType } from "@tollgate/protocols/shared/image-media-type";
import { Agent, fetch, type Response } from "undici";
import type { FetchedImage } from "../ports";
import { isAddressPublic, publicLookup } from "./outbound-guard";

/** An image that cannot be had; the message says why, to whoever named its address. */
export class ImageUnavailable extends Error {
  override readonly name = "ImageUnavailable";
}

/** What leads to an image, for tests. */
export interface ImageRoute {
  isAddressAllowed: (address: string) => boolean;
  dispatcher: Agent;
}

const PUBLIC: ImageRoute = {
  isAddressAllowed: isAddressPublic,
  dispatcher: new Agent({ connect: { lookup: publicLookup } }),
};

const MAX_REDIRECTS = 3;

/**
 * Fetches an image from a public address. What it is is told by its first bytes: PNG, JPEG, GIF or WebP.
 * @param maxBytes a larger one is not read to its end.
 * @throws ImageUnavailable
 */
export const fetchImage = async (
  url: string,
  maxBytes: number,
  signal: AbortSignal,
  route: ImageRoute = PUBLIC,
): Promise<FetchedImage> => {
  try {
    const response = await follow(url, signal, route);
    const data = (await readBytes(response, maxBytes)).toString("base64");
    const mediaType = imageMediaType(data, undefined);
    if (mediaType === undefined) throw new ImageUnavailable("it is no PNG, JPEG, GIF or WebP image");
    return { data, mediaType };
  } catch (error) {
    if (error instanceof ImageUnavailable) throw error;
    // Nothing of what connecting said: it would tell what stands inside the gateway's network.
    throw new ImageUnavailable(
      signal.aborted ? "it did not come in time" : "its address could not be reached or is not public",
    );
  }
};

const follow = async (url: string, signal: AbortSignal, route: ImageRoute): Promise<Response> => {
  let address = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const target = new URL(address);
    if (target.protocol !== "https:" && target.protocol !== "http:") break;
    const host = target.hostname.replace(/^\[|\]$/g, "");
    // Literal addresses are never looked up, so the guard has to see them here.
    if (isIP(host) !== 0 && !route.isAddressAllowed(host)) break;
    const headers = { accept: "image/*" };
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
      throw new ImageUnavailable(`its server answered ${response.status}`);
    }
    await response.body?.cancel();
    address = new URL(next, address).href;
  }
  throw new ImageUnavailable("its address could not be reached or is not public");
};

const readBytes = async (response: Response, maxBytes: number): Promise<Buffer> => {
  const tooLarge = new ImageUnavailable(
    `the images of a request may not be larger than ${MAX_IMAGES_MIB} MiB`,
  );
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    const bytes = piece as Uint8Array;
    size += bytes.length;
    if (size > maxBytes) throw tooLarge;
    pieces.push(bytes);
  }
  return Buffer.concat(pieces);
};

const MIB = 1024 * 1024;
const MAX_IMAGES_MIB = 20;

/** The most that the images of one request may weigh together. */
export const MAX_IMAGES_BYTES = MAX_IMAGES_MIB * MIB;
