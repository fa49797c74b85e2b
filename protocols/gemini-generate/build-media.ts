import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { AudioPart, FilePart, ImagePart } from "@tollgate/contract/relay/request";
import { imageMediaType } from "../shared/messages/image-media-type";

/** A part as sent. */
export type Part = Record<string, unknown>;

/** Addresses that Google's servers fetch themselves (https://ai.google.dev/gemini-api/docs/video-understanding). */
const READABLE = /^https:\/\/(?:www\.)?(?:youtube\.com\/watch|youtu\.be\/)/i;

/** Whether Google's servers can fetch this address. */
export const isReadable = (url: string): boolean => READABLE.test(url);

/** Builds an image, a file or a recording. @throws RequestInvalid for content that can only be named, not sent. */
export const buildMedia = (part: ImagePart | FilePart | AudioPart): Part => {
  switch (part.kind) {
    case "audio":
      return inline(part.format === "mp3" ? "audio/mpeg" : `audio/${part.format}`, part.data);
    case "image":
      if (part.data === undefined) return buildAddress(part.url, part.mediaType);
      return inline(imageMediaType(part.data, part.mediaType) ?? "image/png", part.data);
    case "file":
      if (part.data === undefined) return buildAddress(part.url, part.mediaType);
      return inline(part.mediaType ?? "application/pdf", part.data);
  }
};

const inline = (mimeType: string, data: string): Part => ({ inlineData: { mimeType, data } });

const buildAddress = (url: string | undefined, mimeType: string | undefined): Part => {
  if (url !== undefined && isReadable(url)) return { fileData: { fileUri: url, mimeType } };
  throw new RequestInvalid({ code: "media-as-data-only", media: "images-and-files" }, "messages");
};
