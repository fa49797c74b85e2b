import type {
  OperationInput,
  OperationTranslation,
  UpstreamOperation,
  UpstreamOperations,
} from "@tollgate/contract/relay/operation";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { encodeImages, pictureOfItem } from "../shared/answer/images";
import { type JsonRecord, readArray, readRecord } from "../shared/json/json-values";
import {
  type ImageAbilities,
  type ImageRequest,
  isAbsent,
  type OwnField,
  type Picture,
  readImageRequest,
  refuseEarly,
} from "../shared/request/image-request";

/*
 * Pictures of Volcengine Ark (Seedream, SeedEdit): https://www.volcengine.com/docs/82379/1541523. Its fields are close to
 * OpenAI's, but edits are JSON, which may also come as generations with `image`, and one call makes one picture unless it
 * asks for a series.
 */

const isSeedEdit = (model: string): boolean => model.includes("seededit");
/** Later models have no seed, and their size may also be a word ("2K"). */
const isThird = (model: string): boolean => /see(?:dream|dedit)-3-/.test(model);

/** https://www.volcengine.com/docs/82379/1824121 */
const MAX_PICTURES = 14;

const COMMON_FIELDS: readonly OwnField[] = ["watermark"];
const FIELDS_OF_THIRD: readonly OwnField[] = ["watermark", "seed", "guidance_scale"];

/** Most pictures of a series: as many as any request may ask for. */
const MAX_SERIES = 10;

const isSeries = ({ fields }: OperationInput): boolean => fields.sequential_image_generation === "auto";

const abilitiesOf = (model: string, isEdit: boolean, input: OperationInput): ImageAbilities => ({
  maxCount: isSeries(input) ? MAX_SERIES : 1,
  maxPictures: isEdit ? (isSeedEdit(model) ? 1 : MAX_PICTURES) : 0,
  formats: /seedream-(?:[5-9]|\d\d)/.test(model) ? ["png", "jpeg"] : ["jpeg"],
  ownFields: isThird(model) ? FIELDS_OF_THIRD : COMMON_FIELDS,
  readApart: [
    ...(isEdit ? [] : ["image"]),
    ...(isThird(model) ? [] : ["sequential_image_generation", "sequential_image_generation_options"]),
  ],
  hasAddresses: true,
});

/** SeedEdit keeps the size of its picture. */
const ADAPTIVE = "adaptive";

const sizeOf = ({ size }: ImageRequest, model: string): JsonRecord => {
  if (isSeedEdit(model)) {
    if (size !== undefined && size !== ADAPTIVE)
      throw new RequestInvalid({ code: "unsupported-field", field: "size" });
    return { size: ADAPTIVE };
  }
  if (size === undefined) return {};
  return { size: typeof size === "string" ? size : `${size.width}x${size.height}` };
};

const toAddress = ({ mediaType, data }: Picture): string => `data:${mediaType};base64,${data}`;

const imageOf = (pictures: readonly Picture[]): JsonRecord => {
  const [only, ...others] = pictures.map(toAddress);
  if (only === undefined) return {};
  return { image: others.length === 0 ? only : [only, ...others] };
};

const isAddress = (value: unknown): boolean =>
  typeof value === "string" && /^(?:https?:\/\/|data:image\/)/.test(value);

/** Pictures that a generation names by their addresses, which the vendor fetches. @throws RequestInvalid */
const readAddresses = ({ image }: OperationInput["fields"], model: string): JsonRecord => {
  if (isAbsent(image)) return {};
  const addresses = readArray(Array.isArray(image) ? image : [image]);
  if (!addresses.every(isAddress))
    throw new RequestInvalid({ code: "wrong-type", field: "image", expected: "web-or-data-address" });
  const max = isSeedEdit(model) ? 1 : MAX_PICTURES;
  if (addresses.length > max) throw new RequestInvalid({ code: "too-many-pictures", max }, "image");
  return { image };
};

/**
 * A series is as long as `n`, which is what the hold covers.
 * @throws RequestInvalid when the vendor's own field asks for more.
 */
const readSeries = (input: OperationInput, count: number): JsonRecord => {
  const { sequential_image_generation: mode, sequential_image_generation_options: options } = input.fields;
  if (!isSeries(input)) {
    if (isAbsent(mode) || mode === "disabled") return {};
    throw new RequestInvalid({
      code: "not-one-of",
      field: "sequential_image_generation",
      allowed: ["auto", "disabled"],
    });
  }
  const asked = readRecord(options).max_images ?? count;
  if (typeof asked !== "number" || !Number.isInteger(asked) || asked < 1 || asked > count) {
    const min = Math.min(MAX_SERIES, typeof asked === "number" && asked > count ? Math.ceil(asked) : 1);
    throw new RequestInvalid({ code: "no-whole-number-within", field: "n", min, max: MAX_SERIES });
  }
  return {
    sequential_image_generation: "auto",
    sequential_image_generation_options: { max_images: asked },
  };
};

const buildBody = (request: ImageRequest, model: string): JsonRecord => {
  const { prompt, pictures, format, responseFormat, own } = request;
  return {
    model,
    prompt,
    ...imageOf(pictures),
    ...sizeOf(request, model),
    ...own,
    ...(format === "" || isThird(model) || format === "jpeg" ? {} : { output_format: format }),
    response_format: responseFormat ?? "url",
  };
};

/** Usage is left out: it counts pixels, while the price is one per picture. */
const readBody: OperationTranslation["readBody"] = (body, { fields }) =>
  encodeImages(readArray(readRecord(body).data).map(pictureOfItem), Number(fields.n || 1));

/** A picture that was filtered has its own error. */
const errorIn: OperationTranslation["errorIn"] = (body) =>
  readArray(readRecord(body).data).find((item) => readRecord(item).error !== undefined);

const translate = (isEdit: boolean): OperationTranslation => ({
  buildBody: (input, model) => {
    const request = readImageRequest(input, abilitiesOf(model, isEdit, input));
    return {
      ...buildBody(request, model),
      ...(isEdit ? {} : readAddresses(input.fields, model)),
      ...readSeries(input, request.count),
    };
  },
  readBody,
  errorIn,
});

const createImages = (isEdit: boolean): UpstreamOperation => {
  const translation = translate(isEdit);
  return { path: () => "/v1/images/generations", summarize: refuseEarly(translation), translation };
};

export const ARK_IMAGES: UpstreamOperations = {
  "images/generations": createImages(false),
  "images/edits": createImages(true),
};
