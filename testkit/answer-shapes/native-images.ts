import { json, type OperationBody } from "./openai-operations";

/* Answers to requests for pictures of vendors with their own format. */

/** One transparent pixel as PNG, base64. */
export const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

type Fields = Readonly<Record<string, unknown>>;

/** Data of an answer with pictures. */
export interface Painting {
  body: Fields;
  /** Pictures that are delivered; the vendor filtered the others. */
  delivered: number;
  /** Address of a picture. */
  address: string;
}

export type EncodePainting = (painting: Painting) => OperationBody;

const record = (value: unknown): Fields => (typeof value === "object" && value !== null ? { ...value } : {});

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

/** https://ai.google.dev/api/generate-content */
export const geminiImages: EncodePainting = ({ delivered }) =>
  json({
    candidates: [
      {
        content: {
          role: "model",
          parts: times(delivered, () => ({ inlineData: { mimeType: "image/png", data: PICTURE } })),
        },
        finishReason: delivered === 0 ? "IMAGE_SAFETY" : "STOP",
      },
    ],
    usageMetadata: {
      promptTokenCount: 13,
      ...(delivered === 0 ? {} : { candidatesTokenCount: 1290 }),
      totalTokenCount: 1303,
    },
    modelVersion: "fake-image",
  });

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api */
export const imagenImages: EncodePainting = ({ delivered }) =>
  json({
    predictions:
      delivered === 0
        ? [{ raiFilteredReason: "The pictures were filtered." }]
        : times(delivered, () => ({ mimeType: "image/png", bytesBase64Encoded: PICTURE })),
  });

/** https://help.aliyun.com/zh/model-studio/qwen-image-api */
export const dashscopeImages: EncodePainting = ({ delivered, address }) =>
  json(
    delivered === 0
      ? { request_id: "fake", code: "DataInspectionFailed", message: "The picture was filtered." }
      : {
          output: {
            choices: times(delivered, () => ({
              finish_reason: "stop",
              message: { role: "assistant", content: [{ image: address }] },
            })),
          },
          usage: { image_count: delivered },
          request_id: "fake",
        },
  );

/** https://help.aliyun.com/zh/model-studio/text-to-image-v2-api-reference */
export const dashscopeTask = (id: string, status: "PENDING" | "RUNNING"): OperationBody =>
  json({ output: { task_id: id, task_status: status }, request_id: "fake" });

/** The end of a task: what was not delivered failed. */
export const dashscopeTaskEnd = (id: string, { body, delivered, address }: Painting): OperationBody => {
  const { n } = record(body.parameters);
  const failed = Math.max(0, Number(n ?? 1) - delivered);
  const output =
    delivered === 0
      ? { task_status: "FAILED", code: "DataInspectionFailed", message: "The picture was filtered." }
      : {
          task_status: "SUCCEEDED",
          results: [
            ...times(delivered, () => ({ url: address })),
            ...times(failed, () => ({ code: "InternalError.Timeout", message: "Too late." })),
          ],
        };
  return json({ output: { task_id: id, ...output }, usage: { image_count: delivered }, request_id: "fake" });
};

/** https://www.volcengine.com/docs/82379/1541523 */
export const arkImages: EncodePainting = ({ body, delivered, address }) =>
  json({
    model: body.model,
    created: 1_700_000_000,
    data:
      delivered === 0
        ? [{ error: { code: "OutputImageSensitiveContentDetected", message: "The picture was filtered." } }]
        : times(delivered, () =>
            body.response_format === "b64_json" ? { b64_json: PICTURE } : { url: address, size: "2048x2048" },
          ),
    usage: { generated_images: delivered, output_tokens: 16_384, total_tokens: 16_384 },
  });
