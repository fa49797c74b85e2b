import { isRecord, readString } from "../json/json-values";
import { imageMediaType } from "../messages/image-media-type";

/** A picture of an OpenAI answer. */
export type EncodedPicture = { b64_json: string } | { url: string };

/** Data without a prefix; undefined when its first bytes are those of no picture. */
export const pictureOfData = (data: unknown): EncodedPicture | undefined => {
  const text = readString(data);
  return imageMediaType(text, undefined) === undefined ? undefined : { b64_json: text };
};

const DATA_ADDRESS = /^data:image\/[\w.+-]{1,40};base64,/;

/** A web address, or a data address as data; undefined for anything else. */
export const pictureOfAddress = (value: unknown): EncodedPicture | undefined => {
  const address = readString(value);
  const prefix = DATA_ADDRESS.exec(address.slice(0, 80))?.[0];
  if (prefix !== undefined) return pictureOfData(address.slice(prefix.length));
  return /^https?:\/\/[^\s]+$/i.test(address.slice(0, 4096)) && address.length <= 4096
    ? { url: address }
    : undefined;
};

/** A picture that the vendor delivered in one of OpenAI's fields. */
export const pictureOfItem = (item: unknown): EncodedPicture | undefined =>
  isRecord(item) ? (pictureOfData(item.b64_json) ?? pictureOfAddress(item.url)) : undefined;

/**
 * An OpenAI answer with pictures.
 * @param found what was delivered; `undefined` for each that is not a picture. @param max number of requested pictures.
 * @param more further fields: size, quality, usage.
 * @returns undefined without any picture. `created` is set when the answer is sent.
 */
export const encodeImages = (
  found: readonly (EncodedPicture | undefined)[],
  max: number,
  more: Readonly<Record<string, unknown>> = {},
): unknown => {
  const data = found.filter((picture) => picture !== undefined).slice(0, max);
  if (data.length === 0) return undefined;
  return { created: undefined, data, ...more };
};
