import type { OperationTranslation } from "@tollgate/contract/relay/operation";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { encodeImages, pictureOfData } from "../shared/answer/images";
import { type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import {
  type ImageAbilities,
  type ImageRequest,
  type Picture,
  ratioOf,
  readImageRequest,
} from "../shared/request/image-request";
import { modelPath } from "./call-path";

/*
 * Imagen: https://ai.google.dev/gemini-api/docs/imagen, on Vertex AI
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api. It is charged by the picture.
 */

export const isImagen = (model: string): boolean => /(?:^|\/)imag(?:en-|egeneration)/.test(model);

export const predictPath = (model: string): string => `${modelPath(model)}:predict`;

const RATIOS = ["1:1", "3:4", "4:3", "9:16", "16:9"];
const MAX_COUNT = 4;
const MAX_PIXELS_1K = 2_100_000;

const GENERATES: ImageAbilities = {
  maxCount: MAX_COUNT,
  maxPictures: 0,
  ownFields: ["aspect_ratio"],
  hasAddresses: false,
};

const parametersOf = ({ count, size, own }: ImageRequest): JsonRecord => {
  const aspectRatio = ratioOf(size, readString(own.aspect_ratio), RATIOS);
  const isLarge = typeof size === "object" && size.width * size.height > MAX_PIXELS_1K;
  return {
    sampleCount: count,
    includeRaiReason: true,
    ...(aspectRatio === undefined ? {} : { aspectRatio }),
    ...(isLarge ? { sampleImageSize: "2K" } : {}),
  };
};

const readBody: OperationTranslation["readBody"] = (body) => {
  const found = readArray(readRecord(body).predictions).map((each) =>
    pictureOfData(readRecord(each).bytesBase64Encoded),
  );
  return encodeImages(found, MAX_COUNT);
};

/** All pictures were filtered. */
const errorIn: OperationTranslation["errorIn"] = (body) => {
  const reasons = readArray(readRecord(body).predictions).map((each) =>
    readString(readRecord(each).raiFilteredReason),
  );
  const message = reasons.find((reason) => reason !== "") ?? "IMAGE_SAFETY";
  return { error: { status: "IMAGE_SAFETY", message } };
};

export const imagenGenerations: OperationTranslation = {
  buildBody: (input) => {
    const request = readImageRequest(input, GENERATES);
    return { instances: [{ prompt: request.prompt }], parameters: parametersOf(request) };
  },
  readBody,
  errorIn,
};

const toImage = ({ data }: Picture): JsonRecord => ({ bytesBase64Encoded: data });

/**
 * Edits: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api-edit. OpenAI's mask is
 * transparent where the picture changes, Imagen's is white there, so a mask is not passed on.
 */
const buildEdit: OperationTranslation["buildBody"] = (input) => {
  const request = readImageRequest(input, { ...GENERATES, maxPictures: 1, ownFields: [] });
  if (request.size !== undefined) throw new RequestInvalid({ code: "unsupported-field", field: "size" });
  const referenceImages = request.pictures.map((picture) => ({
    referenceType: "REFERENCE_TYPE_RAW",
    referenceId: 1,
    referenceImage: toImage(picture),
  }));
  return {
    instances: [{ prompt: request.prompt, referenceImages }],
    parameters: { ...parametersOf(request), editMode: "EDIT_MODE_DEFAULT" },
  };
};

/** @param isOffered false where the API has no edits of Imagen: they are refused. */
export const imagenEdits = (isOffered: boolean): OperationTranslation => ({
  buildBody: isOffered
    ? buildEdit
    : (_input, model) => {
        throw new RequestInvalid({ code: "unsupported-value", field: "model", value: model });
      },
  readBody,
  errorIn,
});
