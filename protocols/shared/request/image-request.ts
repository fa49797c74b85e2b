import type {
  OperationInput,
  OperationTranslation,
  Upload,
  UpstreamOperation,
} from "@tollgate/contract/relay/operation";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { shownValue } from "../json/shown-value";
import { imageMediaType } from "../messages/image-media-type";

/*
 * A request for pictures in OpenAI's shape (https://platform.openai.com/docs/api-reference/images), for vendors with a
 * shape of their own. Whatever a vendor cannot do is refused: a field that is left out silently would be paid for.
 */

/** A picture as base64 without a prefix. */
export interface Picture {
  mediaType: string;
  data: string;
}

/** Capabilities of a vendor's model, by the fields of a request. */
export interface ImageAbilities {
  /** Most pictures of one call. */
  maxCount: number;
  /** Most pictures that it edits; 0 where it only generates. */
  maxPictures: number;
  hasMask?: boolean;
  /** Values of `quality` besides those that leave the choice to the vendor; none by default. */
  qualities?: readonly string[];
  /** Values of `output_format`; PNG by default. */
  formats?: readonly string[];
  /** The vendor's own fields that it takes besides OpenAI's. */
  ownFields?: readonly OwnField[];
  /** Fields that the vendor's own file reads. */
  readApart?: readonly string[];
  /** It answers with data alone, so no address can be asked for. */
  hasAddresses: boolean;
}

/** Fields of vendors that clients send beside OpenAI's, under the names of the vendors. */
export type OwnField =
  | "aspect_ratio"
  | "guidance_scale"
  | "negative_prompt"
  | "prompt_extend"
  | "seed"
  | "watermark";

export interface ImageSize {
  width: number;
  height: number;
}

/** A request that its vendor's model can do. */
export interface ImageRequest {
  prompt: string;
  count: number;
  /** undefined when the vendor chooses. */
  size: ImageSize | string | undefined;
  /** "" when the vendor chooses. */
  quality: string;
  /** "" for the vendor's own. */
  format: string;
  responseFormat: "url" | "b64_json" | undefined;
  pictures: readonly Picture[];
  mask: Picture | undefined;
  own: Readonly<Partial<Record<OwnField, string | number | boolean>>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields that every vendor takes, or that change nothing about the picture. */
const COMMON = new Set([
  "model",
  "prompt",
  "n",
  "size",
  "quality",
  "response_format",
  "user",
  "output_format",
]);

/** Values that ask for what happens anyway; any other value is refused. */
const DEFAULTS: Readonly<Record<string, readonly unknown[]>> = {
  background: ["auto", "opaque"],
  moderation: ["auto"],
  stream: [false, "false"],
};

/** Qualities that leave the choice to the vendor. */
const USUAL_QUALITIES = ["", "auto", "standard"];

/** Whether a field asks for nothing. */
export const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === "";

const refuseValue = (field: string, value: unknown): never => {
  throw new RequestInvalid({ code: "unsupported-value", field, value: shownValue(value) });
};

const refuseUnknown = (fields: Fields, own: readonly string[]): void => {
  for (const [field, value] of Object.entries(fields)) {
    if (isAbsent(value) || COMMON.has(field) || own.includes(field)) continue;
    const usual = DEFAULTS[field];
    if (!usual) throw new RequestInvalid({ code: "unsupported-field", field });
    if (!usual.includes(value)) refuseValue(field, value);
  }
};

const readText = (fields: Fields, field: string): string => {
  const value = fields[field];
  if (isAbsent(value)) return "";
  if (typeof value === "string") return value;
  throw new RequestInvalid({ code: "wrong-type", field, expected: "text" });
};

/** A number, or its digits in a form; 1 by default, as the hold has read it. */
const readCount = ({ n }: Fields, max: number): number => {
  const count = isAbsent(n) ? 1 : Number(n);
  if (Number.isInteger(count) && count >= 1 && count <= max) return count;
  throw new RequestInvalid({ code: "no-whole-number-within", field: "n", min: 1, max });
};

/** Sides in pixels, or a vendor's own word for a size ("2K"). */
const readSize = (fields: Fields): ImageSize | string | undefined => {
  const size = readText(fields, "size");
  if (size === "" || size === "auto") return undefined;
  const [, width, height] = /^(\d{1,5})[x*](\d{1,5})$/.exec(size) ?? [];
  if (width === undefined || height === undefined) return size;
  const sides = { width: Number(width), height: Number(height) };
  return sides.width > 0 && sides.height > 0 ? sides : refuseValue("size", size);
};

const requireOneOf = (fields: Fields, field: string, allowed: readonly string[]): string => {
  const value = readText(fields, field);
  if (allowed.includes(value)) return value;
  const instead = allowed.filter((word) => word !== "");
  throw new RequestInvalid({ code: "unsupported-value-instead", field, value: shownValue(value), instead });
};

const readResponseFormat = (fields: Fields, hasAddresses: boolean): ImageRequest["responseFormat"] => {
  const allowed = hasAddresses ? ["", "url", "b64_json"] : ["", "b64_json"];
  const value = requireOneOf(fields, "response_format", allowed);
  return value === "url" || value === "b64_json" ? value : undefined;
};

const INTEGER = /^-?\d{1,10}$/;

const readSwitch = (value: unknown, field: string): boolean => {
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw new RequestInvalid({ code: "wrong-type", field, expected: "true-or-false" });
};

const readSeed = (value: unknown, field: string): number => {
  const seed = typeof value === "string" && INTEGER.test(value) ? Number(value) : value;
  if (typeof seed === "number" && Number.isSafeInteger(seed)) return seed;
  throw new RequestInvalid({ code: "no-whole-number-within", field, min: 0, max: 2 ** 31 - 1 });
};

const readScale = (value: unknown, field: string): number => {
  const scale = typeof value === "string" ? Number(value) : value;
  if (typeof scale === "number" && Number.isFinite(scale)) return scale;
  throw new RequestInvalid({ code: "no-number-within", field, min: 1, max: 10 });
};

/** Reads a vendor's own field, whose value is a text in a form. */
const readOwn = (fields: Fields, field: OwnField): string | number | boolean | undefined => {
  const value = fields[field];
  if (isAbsent(value)) return undefined;
  switch (field) {
    case "prompt_extend":
    case "watermark":
      return readSwitch(value, field);
    case "seed":
      return readSeed(value, field);
    case "guidance_scale":
      return readScale(value, field);
    default:
      return readText(fields, field);
  }
};

const toPicture = ({ field, filename, bytes }: Upload): Picture => {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  const mediaType = imageMediaType(data, undefined);
  if (mediaType !== undefined) return { mediaType, data };
  const type = /\.(\w{1,10})$/.exec(filename)?.[1] ?? field;
  throw new RequestInvalid({ code: "unsupported-file-type", type }, field);
};

const isPicture = ({ field, bytes }: Upload): boolean =>
  /^image(?:\[\d*\])?$/.test(field) && bytes.length > 0;

const readPictures = ({ uploads }: OperationInput, { maxPictures, hasMask }: ImageAbilities) => {
  const images = uploads.filter(isPicture);
  if (images.length > 0 && maxPictures === 0)
    throw new RequestInvalid({ code: "unsupported-field", field: "image" });
  if (images.length > maxPictures)
    throw new RequestInvalid({ code: "too-many-pictures", max: maxPictures }, "image");
  const mask = uploads.find(({ field }) => field === "mask");
  if (mask && !hasMask) throw new RequestInvalid({ code: "unsupported-field", field: "mask" });
  const other = uploads.find((upload) => upload !== mask && !/^image(?:\[\d*\])?$/.test(upload.field));
  if (other) throw new RequestInvalid({ code: "unsupported-field", field: other.field });
  return { pictures: images.map(toPicture), mask: mask && toPicture(mask) };
};

/**
 * Reads a request for pictures for a vendor's model.
 * @throws RequestInvalid when the model cannot do a part of it.
 */
export const readImageRequest = (input: OperationInput, abilities: ImageAbilities): ImageRequest => {
  const { fields } = input;
  const {
    maxCount,
    qualities = [],
    formats = ["png"],
    ownFields = [],
    readApart = [],
    hasAddresses,
  } = abilities;
  refuseUnknown(fields, [...ownFields, ...readApart]);
  const own: Partial<Record<OwnField, string | number | boolean>> = {};
  for (const field of ownFields) {
    const value = readOwn(fields, field);
    if (value !== undefined) own[field] = value;
  }
  const quality = requireOneOf(fields, "quality", [...USUAL_QUALITIES, ...qualities]);
  return {
    prompt: readText(fields, "prompt"),
    count: readCount(fields, maxCount),
    size: readSize(fields),
    quality: USUAL_QUALITIES.includes(quality) ? "" : quality,
    format: requireOneOf(fields, "output_format", ["", ...formats]),
    responseFormat: readResponseFormat(fields, hasAddresses),
    ...readPictures(input, abilities),
    own,
  };
};

/** Enough of a file to see what it is. */
const HEAD_BYTES = 64;

/**
 * Refuses, before anything is held, what the vendor's model cannot do: the request is built with the beginnings of its
 * files.
 */
export const refuseEarly =
  ({ buildBody }: Pick<OperationTranslation, "buildBody">): NonNullable<UpstreamOperation["summarize"]> =>
  (input, summary, model) => {
    const uploads = input.uploads.map((upload) => ({
      ...upload,
      bytes: upload.bytes.subarray(0, HEAD_BYTES),
    }));
    buildBody({ ...input, uploads }, model, { other: "", accountId: "" });
    return summary;
  };

/** Sides that differ from a ratio by less are that ratio, rounded to pixels: 1792x1024 for 16:9. */
const TOLERANCE = 0.03;

/**
 * The ratio of a vendor's list that a size has: sides in pixels or a ratio itself ("16:9").
 * @param ratios as the vendor writes them, "16:9". @returns undefined when the vendor chooses.
 * @throws RequestInvalid when none of them fits.
 */
export const ratioOf = (
  size: ImageSize | string | undefined,
  asked: string,
  ratios: readonly string[],
): string | undefined => {
  if (asked !== "") {
    if (ratios.includes(asked)) return asked;
    throw new RequestInvalid({ code: "not-one-of", field: "aspect_ratio", allowed: ratios });
  }
  if (size === undefined) return undefined;
  const ratio = typeof size === "string" ? undefined : size.width / size.height;
  const fitting = ratios.find((each) => {
    const [width = 0, height = 1] = each.split(":").map(Number);
    return ratio !== undefined && Math.abs(ratio / (width / height) - 1) < TOLERANCE;
  });
  if (fitting !== undefined) return fitting;
  throw new RequestInvalid({ code: "no-such-ratio", field: "size", allowed: ratios });
};
