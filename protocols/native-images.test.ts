import type { OperationInput, UpstreamOperation } from "@tollgate/contract/relay/operation";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import {
  arkImages,
  dashscopeImages,
  dashscopeTask,
  dashscopeTaskEnd,
  geminiImages,
  imagenImages,
  PICTURE,
} from "@tollgate/testkit/answer-shapes/native-images";
import { describe, expect, it } from "vitest";
import { imageEdits, imageGenerations } from "./openai-operations/images";
import { OPERATIONS_BY_ADDRESSING, UPSTREAM_OPERATIONS } from "./protocols";
import { TEST_FIELDS } from "./shared/testing/request-parts";

/* Pictures of vendors with a shape of their own: the request, the answer, and everything that is refused. */

const PNG = Buffer.from(PICTURE, "base64");
const ADDRESS = "https://example.com/picture.png?signature=secret";

const upload = (field: string, bytes: Uint8Array = PNG) => ({ field, filename: "a.png", bytes });
const inputOf = (fields: Record<string, unknown>, ...uploads: OperationInput["uploads"]): OperationInput => ({
  fields: { prompt: "a cat", ...fields },
  uploads,
});

const must = (operation: UpstreamOperation | undefined): UpstreamOperation => {
  if (!operation) throw new Error("the upstream has no such operation");
  return operation;
};
const gemini = {
  generations: must(UPSTREAM_OPERATIONS["gemini-generate"]?.["images/generations"]),
  edits: must(UPSTREAM_OPERATIONS["gemini-generate"]?.["images/edits"]),
};
const vertex = must(OPERATIONS_BY_ADDRESSING.vertex?.["gemini-generate"]?.["images/edits"]);
const dashscope = {
  generations: must(UPSTREAM_OPERATIONS.dashscope?.["images/generations"]),
  edits: must(UPSTREAM_OPERATIONS.dashscope?.["images/edits"]),
};
const compatible = must(OPERATIONS_BY_ADDRESSING["model-studio"]?.["openai-chat"]?.["images/generations"]);
const ark = {
  generations: must(OPERATIONS_BY_ADDRESSING.ark?.["openai-chat"]?.["images/generations"]),
  edits: must(OPERATIONS_BY_ADDRESSING.ark?.["openai-chat"]?.["images/edits"]),
};

const build = (operation: UpstreamOperation, model: string, input: OperationInput): unknown =>
  operation.translation?.buildBody(input, model, TEST_FIELDS);
const faultOf = (operation: UpstreamOperation, model: string, input: OperationInput): unknown => {
  try {
    build(operation, model, input);
  } catch (error) {
    if (error instanceof RequestInvalid) return error.fault;
    throw error;
  }
  return "accepted";
};
/** What is refused before anything is held. */
const earlyFaultOf = (operation: UpstreamOperation, model: string, input: OperationInput): unknown => {
  try {
    operation.summarize?.(input, imageGenerations.summarizeRequest(inputOf({}), model), model);
  } catch (error) {
    if (error instanceof RequestInvalid) return error.fault;
    throw error;
  }
  return "accepted";
};
const parsed = ({ parts }: { parts: readonly (string | Uint8Array)[] }): unknown =>
  JSON.parse(String(parts[0]));
const painting = (delivered: number, body: Record<string, unknown> = {}) => ({
  body,
  delivered,
  address: ADDRESS,
});

const CONTENT = [{ role: "user", parts: [{ text: "a cat" }] }];

describe("a request for pictures", () => {
  it.each<[string, UpstreamOperation, string, Record<string, unknown>, unknown]>([
    [
      "Gemini's",
      gemini.generations,
      "gemini-2.5-flash-image",
      { size: "1536x1024" },
      {
        contents: CONTENT,
        generationConfig: { responseModalities: ["IMAGE"], imageConfig: { aspectRatio: "3:2" } },
      },
    ],
    [
      "Gemini's with sizes",
      gemini.generations,
      "gemini-3-pro-image-preview",
      { size: "1024x1024", quality: "high" },
      {
        contents: CONTENT,
        generationConfig: {
          responseModalities: ["IMAGE"],
          imageConfig: { aspectRatio: "1:1", imageSize: "2K" },
        },
      },
    ],
    [
      "Gemini's with a ratio",
      gemini.generations,
      "gemini-3-pro-image-preview",
      { size: "4K", aspect_ratio: "21:9" },
      {
        contents: CONTENT,
        generationConfig: {
          responseModalities: ["IMAGE"],
          imageConfig: { aspectRatio: "21:9", imageSize: "4K" },
        },
      },
    ],
    [
      "Imagen's",
      gemini.generations,
      "imagen-4.0-generate-001",
      { n: 4, size: "1792x1024" },
      {
        instances: [{ prompt: "a cat" }],
        parameters: { sampleCount: 4, includeRaiReason: true, aspectRatio: "16:9" },
      },
    ],
    [
      "DashScope's",
      dashscope.generations,
      "qwen-image-2.0-pro",
      { n: 2, size: "1024x1536", seed: 7, watermark: false, negative_prompt: "dogs" },
      {
        model: "qwen-image-2.0-pro",
        input: { messages: [{ role: "user", content: [{ text: "a cat" }] }] },
        parameters: { n: 2, size: "1024*1536", seed: 7, watermark: false, negative_prompt: "dogs" },
      },
    ],
    [
      "DashScope's of few sizes",
      dashscope.generations,
      "qwen-image-plus",
      { size: "1024x1024" },
      {
        model: "qwen-image-plus",
        input: { messages: [{ role: "user", content: [{ text: "a cat" }] }] },
        parameters: { n: 1, size: "1328*1328" },
      },
    ],
    [
      "DashScope's as a task, one picture unless more are asked for",
      dashscope.generations,
      "wan2.5-t2i-preview",
      { negative_prompt: "dogs" },
      {
        model: "wan2.5-t2i-preview",
        input: { prompt: "a cat", negative_prompt: "dogs" },
        parameters: { n: 1 },
      },
    ],
    [
      "Ark's",
      ark.generations,
      "doubao-seedream-4-5-251128",
      { size: "2K", response_format: "b64_json", watermark: false },
      {
        model: "doubao-seedream-4-5-251128",
        prompt: "a cat",
        size: "2K",
        watermark: false,
        response_format: "b64_json",
      },
    ],
    [
      "Ark's for a series, from a picture at an address",
      ark.generations,
      "doubao-seedream-4-5-251128",
      { n: 3, sequential_image_generation: "auto", image: ADDRESS },
      {
        model: "doubao-seedream-4-5-251128",
        prompt: "a cat",
        image: ADDRESS,
        sequential_image_generation: "auto",
        sequential_image_generation_options: { max_images: 3 },
        response_format: "url",
      },
    ],
  ])("is %s", (_name, operation, model, fields, body) => {
    expect(JSON.parse(JSON.stringify(build(operation, model, inputOf(fields))))).toEqual(body);
  });

  it("goes to the path of the model's own call", () => {
    expect(gemini.generations.path("gemini-2.5-flash-image")).toBe(
      "/v1beta/models/gemini-2.5-flash-image:generateContent",
    );
    expect(gemini.generations.path("imagen-4.0-generate-001")).toBe(
      "/v1beta/models/imagen-4.0-generate-001:predict",
    );
    expect(dashscope.generations.path("qwen-image")).toBe("/services/aigc/multimodal-generation/generation");
    expect(dashscope.generations.path("wan2.6-t2i")).toBe("/services/aigc/multimodal-generation/generation");
    expect(dashscope.generations.headers?.("qwen-image", inputOf({}))).toEqual({});
    expect(compatible.path("wan2.2-t2i-plus")).toBe("/api/v1/services/aigc/text2image/image-synthesis");
    expect(compatible.headers?.("wan2.2-t2i-plus", inputOf({}))).toEqual({ "x-dashscope-async": "enable" });
    expect(dashscope.edits.path("wan2.5-i2i-preview")).toBe("/services/aigc/image2image/image-synthesis");
  });

  it("holds the pictures of an edit", () => {
    const inlineData = { mimeType: "image/png", data: PICTURE };
    const data = `data:image/png;base64,${PICTURE}`;
    const input = inputOf({}, upload("image[]"), upload("image[]"));
    expect(build(gemini.edits, "gemini-2.5-flash-image", input)).toMatchObject({
      contents: [{ parts: [{ inlineData }, { inlineData }, { text: "a cat" }] }],
    });
    expect(build(dashscope.edits, "qwen-image-edit-plus", input)).toMatchObject({
      input: { messages: [{ content: [{ image: data }, { image: data }, { text: "a cat" }] }] },
    });
    expect(build(dashscope.edits, "wan2.5-i2i-preview", input)).toMatchObject({
      input: { prompt: "a cat", images: [data, data] },
    });
    expect(build(ark.edits, "doubao-seedream-4-5-251128", input)).toMatchObject({ image: [data, data] });
    const one = inputOf({}, upload("image"));
    expect(build(ark.edits, "doubao-seededit-3-0-i2i-250628", one)).toMatchObject({
      image: data,
      size: "adaptive",
    });
    expect(build(vertex, "imagen-3.0-capability-001", one)).toMatchObject({
      instances: [{ referenceImages: [{ referenceImage: { bytesBase64Encoded: PICTURE } }] }],
    });
  });

  it.each<[UpstreamOperation, string, Record<string, unknown>, Record<string, unknown>]>([
    [gemini.generations, "gemini-2.5-flash-image", { n: 2 }, { code: "no-whole-number-within", max: 1 }],
    [gemini.generations, "imagen-4.0-generate-001", { n: 5 }, { code: "no-whole-number-within", max: 4 }],
    [dashscope.generations, "qwen-image", { n: 2 }, { code: "no-whole-number-within", max: 1 }],
    [dashscope.generations, "qwen-image-2.0", { n: 7 }, { code: "no-whole-number-within", max: 6 }],
    [ark.generations, "doubao-seedream-4-5-251128", { n: 2 }, { code: "no-whole-number-within", max: 1 }],
    [gemini.generations, "gemini-2.5-flash-image", { response_format: "url" }, { instead: ["b64_json"] }],
    [gemini.generations, "gemini-2.5-flash-image", { size: "2048x2048" }, { field: "size" }],
    [gemini.generations, "gemini-3-pro-image-preview", { size: "1000x100" }, { code: "no-such-ratio" }],
    [gemini.generations, "gemini-3-pro-image-preview", { size: "8K" }, { code: "not-one-of" }],
    [gemini.generations, "gemini-2.5-flash-image", { quality: "high" }, { field: "quality" }],
    [gemini.generations, "gemini-2.5-flash-image", { seed: 1 }, { code: "unsupported-field", field: "seed" }],
    [gemini.generations, "gemini-2.5-flash-image", { stream: true }, { field: "stream" }],
    [gemini.generations, "gemini-2.5-flash-image", { background: "transparent" }, { field: "background" }],
    [dashscope.generations, "qwen-image", { size: "1536x1024" }, { code: "no-such-ratio" }],
    [dashscope.generations, "qwen-image", { watermark: "yes" }, { expected: "true-or-false" }],
    [dashscope.edits, "qwen-image-edit", { size: "1024x1024" }, { field: "size" }],
    [ark.generations, "doubao-seedream-4-5-251128", { seed: 1 }, { field: "seed" }],
    // A series would be more pictures than the hold covers.
    [
      ark.generations,
      "doubao-seedream-4-5-251128",
      { sequential_image_generation: "auto", sequential_image_generation_options: { max_images: 9 } },
      { code: "no-whole-number-within", field: "n", min: 9 },
    ],
    [
      ark.generations,
      "doubao-seedream-4-5-251128",
      { n: 2, sequential_image_generation: "auto", sequential_image_generation_options: { max_images: -1 } },
      { code: "no-whole-number-within", field: "n" },
    ],
    [
      ark.generations,
      "doubao-seedream-4-5-251128",
      { sequential_image_generation: "all" },
      { code: "not-one-of" },
    ],
    [ark.generations, "doubao-seedream-4-5-251128", { image: ["file:///etc/x"] }, { field: "image" }],
    [dashscope.generations, "wan2.7-image", { parameters: { n: 4 } }, { field: "parameters" }],
  ])("that the vendor cannot do is refused: %#", (operation, model, fields, fault) => {
    expect(faultOf(operation, model, inputOf(fields))).toMatchObject(fault);
    expect(earlyFaultOf(operation, model, inputOf(fields))).toMatchObject(fault);
  });

  it("refuses masks, too many pictures, and files that are none", () => {
    const mask = inputOf({}, upload("image"), upload("mask"));
    for (const [operation, model] of [
      [gemini.edits, "gemini-2.5-flash-image"],
      [vertex, "imagen-3.0-capability-001"],
      [dashscope.edits, "qwen-image-edit-plus"],
      [ark.edits, "doubao-seedream-4-5-251128"],
    ] as const) {
      expect(faultOf(operation, model, mask)).toEqual({ code: "unsupported-field", field: "mask" });
    }
    const four = inputOf({}, ...Array.from({ length: 4 }, () => upload("image[]")));
    expect(faultOf(dashscope.edits, "qwen-image-edit-plus", four)).toEqual({
      code: "too-many-pictures",
      max: 3,
    });
    const text = inputOf({}, upload("image", Buffer.from("no picture")));
    expect(faultOf(gemini.edits, "gemini-2.5-flash-image", text)).toMatchObject({
      code: "unsupported-file-type",
    });
    expect(earlyFaultOf(gemini.edits, "gemini-2.5-flash-image", mask)).toMatchObject({ field: "mask" });
    const fine = inputOf({}, upload("image"));
    expect(earlyFaultOf(gemini.edits, "gemini-2.5-flash-image", fine)).toBe("accepted");
    expect(faultOf(gemini.edits, "imagen-4.0-generate-001", inputOf({}, upload("image")))).toMatchObject({
      field: "model",
    });
  });

  it("takes the texts of a form for numbers and booleans", () => {
    const input = inputOf({ n: "2", seed: "7", watermark: "false", stream: "false" }, upload("image"));
    expect(build(dashscope.edits, "qwen-image-edit-plus", input)).toMatchObject({
      parameters: { n: 2, seed: 7, watermark: false },
    });
  });
});

describe("an answer with pictures", () => {
  const read = (operation: UpstreamOperation, body: unknown, fields: Record<string, unknown> = {}) =>
    operation.translation?.readBody(body, inputOf(fields), "mine");
  const charged = (operation: UpstreamOperation, body: unknown, fields: Record<string, unknown> = {}) => {
    const input = inputOf({ model: "mine", ...fields });
    const summary = imageGenerations.summarizeRequest(input, "mine");
    return imageGenerations.readAnswer({ body: read(operation, body, fields), text: "" }, input, summary);
  };

  it("is OpenAI's, and charged by tokens where the vendor reports them", () => {
    const body = parsed(geminiImages(painting(1)));
    expect(read(gemini.generations, body)).toEqual({
      created: undefined,
      data: [{ b64_json: PICTURE }],
      usage: { input_tokens: 13, output_tokens: 1290, total_tokens: 1303 },
    });
    expect(charged(gemini.generations, body)).toMatchObject({
      units: undefined,
      calls: 1,
      usage: { inputTokens: 13, outputTokens: 1290 },
    });
  });

  it.each<[string, UpstreamOperation, unknown, number, number]>([
    ["Imagen", gemini.generations, parsed(imagenImages(painting(2))), 4, 2],
    ["DashScope", dashscope.generations, parsed(dashscopeImages(painting(2))), 3, 2],
    [
      "a task",
      dashscope.generations,
      parsed(dashscopeTaskEnd("t", painting(1, { parameters: { n: 4 } }))),
      4,
      1,
    ],
    ["Ark", ark.generations, parsed(arkImages(painting(1))), 1, 1],
    ["a series", ark.generations, parsed(arkImages(painting(2))), 3, 2],
    // An upstream that delivers more than it was asked for.
    ["too many", dashscope.generations, parsed(dashscopeImages(painting(9))), 2, 2],
  ])("of %s is charged by the delivered pictures", (_name, operation, body, n, count) => {
    expect(read(operation, body, { n })).toMatchObject({ data: Array.from({ length: count }, () => ({})) });
    expect(charged(operation, body, { n })).toMatchObject({ units: { kind: "images", count } });
  });

  it.each<[string, UpstreamOperation, unknown, unknown]>([
    ["Gemini", gemini.generations, parsed(geminiImages(painting(0))), { error: { status: "IMAGE_SAFETY" } }],
    [
      "a blocked prompt",
      gemini.generations,
      { promptFeedback: { blockReason: "PROHIBITED_CONTENT" } },
      { error: { status: "PROHIBITED_CONTENT" } },
    ],
    [
      "words alone",
      gemini.generations,
      { candidates: [{ content: { parts: [{ text: "I cannot." }] }, finishReason: "STOP" }] },
      { error: { status: "NO_IMAGE", message: "I cannot." } },
    ],
    ["Imagen", gemini.generations, parsed(imagenImages(painting(0))), { error: { status: "IMAGE_SAFETY" } }],
    [
      "a task",
      dashscope.generations,
      parsed(dashscopeTaskEnd("t", painting(0))),
      { code: "DataInspectionFailed" },
    ],
    [
      "Ark",
      ark.generations,
      parsed(arkImages(painting(0))),
      { error: { code: "OutputImageSensitiveContentDetected" } },
    ],
  ])("without a picture is free and names the reason: %s", (_name, operation, body, error) => {
    expect(charged(operation, body)).toBeUndefined();
    expect(operation.translation?.errorIn?.(body)).toMatchObject(error as object);
  });

  it.each<[UpstreamOperation, unknown]>([
    [gemini.generations, undefined],
    [gemini.generations, { candidates: "none", usageMetadata: { candidatesTokenCount: -5 } }],
    [gemini.generations, { candidates: [{ content: { parts: [{ inlineData: { data: "bm8=" } }] } }] }],
    [
      gemini.generations,
      { candidates: [{ content: { parts: [{ thought: true, inlineData: { data: PICTURE } }] } }] },
    ],
    [gemini.generations, { predictions: [{ bytesBase64Encoded: 5 }] }],
    [dashscope.generations, { output: { choices: [{ message: { content: [{ image: "ftp://x/y" }] } }] } }],
    [dashscope.generations, { output: { results: [{ url: "javascript:alert(1)" }] } }],
    [ark.generations, { data: [{ b64_json: "bm8=" }, { url: "" }], usage: { generated_images: 5 } }],
  ])("that holds no picture is not charged: %#", (operation, body) => {
    expect(charged(operation, body)).toBeUndefined();
  });

  it("ignores the counts of an upstream that are none", () => {
    const body = {
      ...(parsed(geminiImages(painting(1))) as object),
      usageMetadata: { promptTokenCount: -5, candidatesTokenCount: 1e12 },
    };
    expect(charged(gemini.generations, body)).toMatchObject({ units: { count: 1 } });
  });

  it("names a task only while it is not over, and by no path of the upstream's choice", () => {
    const { followUp } = dashscope.generations;
    expect(followUp?.taskPath(parsed(dashscopeTask("a-1", "PENDING")))).toBe("/tasks/a-1");
    expect(followUp?.taskPath(parsed(dashscopeTaskEnd("a-1", painting(1))))).toBeUndefined();
    expect(followUp?.taskPath(parsed(dashscopeTask("../x?y", "RUNNING")))).toBeUndefined();
    expect(compatible.followUp?.taskPath(parsed(dashscopeTask("a-1", "RUNNING")))).toBe("/api/v1/tasks/a-1");
  });

  it("has its pictures fetched only for clients that want data", () => {
    const { followUp } = dashscope.generations;
    const body = parsed(dashscopeImages(painting(1)));
    expect(followUp?.picturesToFetch(body, inputOf({ response_format: "b64_json" }))).toEqual([ADDRESS]);
    expect(followUp?.picturesToFetch(body, inputOf({}))).toEqual([]);
    const data = { output: { results: [{ url: `data:image/png;base64,${PICTURE}` }] } };
    expect(read(dashscope.generations, data)).toMatchObject({ data: [{ b64_json: PICTURE }] });
  });
});

describe("an edit", () => {
  it("needs a picture before any upstream is asked", () => {
    expect(() => imageEdits.summarizeRequest(inputOf({}), "m")).toThrow(RequestInvalid);
  });
});
