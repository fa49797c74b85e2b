import { readBase64 } from "../../lib/read-base64";
import type { Attachment } from "./conversation";

/** Bytes of the pictures and files of one message. */
export const MAX_ATTACHED_BYTES = 10_000_000;
export const MAX_ATTACHMENTS = 8;

/** Why a file is not taken. */
export type AttachmentRefusal = "tooMany" | "tooLarge" | "unreadable";

/** Bytes of a data URL's content. */
const sizeOf = ({ data }: Attachment): number => Math.floor((data.length * 3) / 4);

/** A media type as a browser names it; a name without one could end the type of a data URL early. */
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;

/**
 * Adds files to those of a message, as data URLs.
 * @returns all of them, and why one was not taken.
 */
export const addFiles = async (
  present: readonly Attachment[],
  files: Iterable<File>,
): Promise<{ attachments: Attachment[]; refusal?: AttachmentRefusal }> => {
  const attachments = [...present];
  let bytes = present.reduce((sum, each) => sum + sizeOf(each), 0);
  let refusal: AttachmentRefusal | undefined;
  for (const file of files) {
    bytes += file.size;
    if (attachments.length >= MAX_ATTACHMENTS) refusal = "tooMany";
    else if (bytes > MAX_ATTACHED_BYTES) refusal = "tooLarge";
    if (refusal) break;
    const type = MEDIA_TYPE.test(file.type) ? file.type : "application/octet-stream";
    try {
      attachments.push({ name: file.name, type, data: `data:${type};base64,${await readBase64(file)}` });
    } catch {
      refusal = "unreadable";
      break;
    }
  }
  return refusal ? { attachments, refusal } : { attachments };
};
