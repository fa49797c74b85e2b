import type {
  OperationFollowUp,
  OperationTranslation,
  UpstreamOperation,
  UpstreamOperations,
} from "@tollgate/contract/relay/operation";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { encodeImages, pictureOfAddress } from "../shared/answer/images";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import {
  type ImageAbilities,
  type ImageRequest,
  type ImageSize,
  type OwnField,
  type Picture,
  ratioOf,
  readImageRequest,
  refuseEarly,
} from "../shared/request/image-request";

/*
 * Pictures of DashScope's own API, which answers with addresses that are valid for a day. Newer models answer at once,
 * as a chat does; older ones accept a task, whose state is queried.
 *
 * - https://help.aliyun.com/zh/model-studio/qwen-image-api and qwen-image-edit-api
 * - https://help.aliyun.com/zh/model-studio/text-to-image-v2-api-reference and wan2-5-image-edit-api-reference
 * - https://help.aliyun.com/zh/model-studio/wan-image-generation-and-editing-api-reference
 */

/** Models that accept tasks only: Wan up to 2.5, and its forerunners. */
const isOfTasks = (model: string): boolean => /^(?:wanx|wan2\.[0-5](?!\d))/.test(model);

/** Makes one picture per call, of one of few sizes. */
const isFirstQwenImage = (model: string): boolean =>
  /^qwen-image(?:-plus|-max)?(?:-\d{4}-\d{2}-\d{2})?$/.test(model);
const isFirstQwenEdit = (model: string): boolean => /^qwen-image-edit(?:-\d{4}-\d{2}-\d{2})?$/.test(model);
const isZImage = (model: string): boolean => model.startsWith("z-image");

const MAX_COUNT_OF_WAN = 4;
const MAX_COUNT_OF_QWEN = 6;

const maxCountOf = (model: string): number => {
  if (isFirstQwenImage(model) || isFirstQwenEdit(model) || isZImage(model)) return 1;
  return model.startsWith("wan") ? MAX_COUNT_OF_WAN : MAX_COUNT_OF_QWEN;
};

/** Most pictures that an edit reads: three, except for the newest models of Wan. */
const MAX_PICTURES = 3;
const MAX_PICTURES_OF_WAN_26 = 4;

const OWN_FIELDS: readonly OwnField[] = ["negative_prompt", "prompt_extend", "seed", "watermark"];

const abilitiesOf = (model: string, isEdit: boolean): ImageAbilities => ({
  maxCount: maxCountOf(model),
  maxPictures: isEdit ? (/^wan2\.(?:[6-9]|\d\d)/.test(model) ? MAX_PICTURES_OF_WAN_26 : MAX_PICTURES) : 0,
  ownFields: OWN_FIELDS,
  hasAddresses: true,
});

/** The only sizes of the first models, by their ratio. */
const FIRST_SIZES: Readonly<Record<string, string>> = {
  "1:1": "1328*1328",
  "16:9": "1664*928",
  "9:16": "928*1664",
  "4:3": "1472*1104",
  "3:4": "1104*1472",
};

/** `size`; undefined when the vendor chooses. @throws RequestInvalid */
const readSize = (model: string, size: ImageSize | string | undefined): string | undefined => {
  if (size === undefined) return undefined;
  // It keeps the size of the picture that it edits.
  if (isFirstQwenEdit(model)) throw new RequestInvalid({ code: "unsupported-field", field: "size" });
  if (isFirstQwenImage(model)) return FIRST_SIZES[ratioOf(size, "", Object.keys(FIRST_SIZES)) ?? ""];
  return typeof size === "string" ? size : `${size.width}*${size.height}`;
};

const parametersOf = ({ count, size, own }: ImageRequest, model: string): JsonRecord => {
  const asked = readSize(model, size);
  return {
    // Without it, several models make four.
    ...(isZImage(model) ? {} : { n: count }),
    ...(asked === undefined ? {} : { size: asked }),
    ...own,
    // Tasks have it beside the prompt.
    ...(isOfTasks(model) ? { negative_prompt: undefined } : {}),
  };
};

const toAddress = ({ mediaType, data }: Picture): string => `data:${mediaType};base64,${data}`;

const buildMessages = (request: ImageRequest, model: string): unknown => ({
  model,
  input: {
    messages: [
      {
        role: "user",
        content: [
          ...request.pictures.map((picture) => ({ image: toAddress(picture) })),
          { text: request.prompt },
        ],
      },
    ],
  },
  parameters: {
    ...parametersOf(request, model),
    // Else these models mix pictures with words, as a stream.
    ...(/^wan2\.6-image/.test(model) ? { enable_interleave: false } : {}),
  },
});

const buildTask = (request: ImageRequest, model: string): unknown => {
  const { pictures, prompt, own } = request;
  return {
    model,
    input: {
      prompt,
      ...(own.negative_prompt === undefined ? {} : { negative_prompt: own.negative_prompt }),
      ...(pictures.length === 0 ? {} : { images: pictures.map(toAddress) }),
    },
    parameters: parametersOf(request, model),
  };
};

/** Addresses of the delivered pictures: of a chat, or of a task. */
const addressesOf = (body: unknown): string[] => {
  const { choices, results } = readRecord(readRecord(body).output);
  const ofChat = readArray(choices).flatMap((choice) =>
    readArray(readRecord(readRecord(choice).message).content).map((part) =>
      readString(readRecord(part).image),
    ),
  );
  const ofTask = readArray(results).map((result) => readString(readRecord(result).url));
  return [...ofChat, ...ofTask].filter((address) => address !== "");
};

const readBody: OperationTranslation["readBody"] = (body, { fields }) =>
  encodeImages(addressesOf(body).map(pictureOfAddress), Number(fields.n || 1));

/** A task that failed has its code in the output; one whose pictures all failed, beside each. */
const errorIn: OperationTranslation["errorIn"] = (body) => {
  const { output } = readRecord(body);
  const { code, message, results } = readRecord(output);
  if (typeof code === "string") return { code, message };
  return readArray(results).find((result) => isRecord(result) && typeof result.code === "string");
};

const UNFINISHED = ["PENDING", "RUNNING", "SUSPENDED"];

/** https://help.aliyun.com/zh/model-studio/manage-asynchronous-tasks */
const followUp = (base: string): OperationFollowUp => ({
  taskPath: (body) => {
    const { task_id, task_status } = readRecord(readRecord(body).output);
    const id = readString(task_id);
    const isUnfinished = UNFINISHED.includes(readString(task_status)) && /^[\w-]{1,100}$/.test(id);
    return isUnfinished ? `${base}/tasks/${id}` : undefined;
  },
  picturesToFetch: (body, { fields }) => (fields.response_format === "b64_json" ? addressesOf(body) : []),
});

const NO_HEADERS: Readonly<Record<string, string>> = {};

const translate = (isEdit: boolean): OperationTranslation => ({
  buildBody: (input, model) => {
    const request = readImageRequest(input, abilitiesOf(model, isEdit));
    return isOfTasks(model) ? buildTask(request, model) : buildMessages(request, model);
  },
  readBody,
  errorIn,
});

const createImages = (base: string, isEdit: boolean): UpstreamOperation => {
  const translation = translate(isEdit);
  return {
    path: (model) => {
      if (!isOfTasks(model)) return `${base}/services/aigc/multimodal-generation/generation`;
      return `${base}/services/aigc/${isEdit ? "image2image" : "text2image"}/image-synthesis`;
    },
    headers: (model) => (isOfTasks(model) ? { "x-dashscope-async": "enable" } : NO_HEADERS),
    summarize: refuseEarly(translation),
    translation,
    followUp: followUp(base),
  };
};

/** Generations and edits. @param base what precedes the paths of the vendor's own API. */
export const createImageOperations = (base: string): UpstreamOperations => ({
  "images/generations": createImages(base, false),
  "images/edits": createImages(base, true),
});
