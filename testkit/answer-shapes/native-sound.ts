import { json, type OperationBody, SOUND } from "./openai-operations";
import { wavOf } from "./recording";

/* Answers of vendors that read texts aloud, or write down recordings, in a shape of their own. */

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? { ...value } : {};

/** https://ai.google.dev/gemini-api/docs/speech-generation */
export const geminiSpeech = (): OperationBody =>
  json({
    candidates: [
      {
        content: {
          role: "model",
          parts: [
            { inlineData: { mimeType: "audio/L16;codec=pcm;rate=24000", data: SOUND.toString("base64") } },
          ],
        },
        finishReason: "STOP",
      },
    ],
    usageMetadata: { promptTokenCount: 13, candidatesTokenCount: 5, totalTokenCount: 18 },
  });

/** https://help.aliyun.com/zh/model-studio/qwen-tts-api */
export const dashscopeSpeech = (body: Fields): OperationBody => {
  const characters = [...String(fieldsOf(body.input).text)].length;
  const event = (data: string, finish_reason: string): string =>
    `id:1\nevent:result\n:HTTP_STATUS/200\ndata:${JSON.stringify({
      output: { audio: { data, url: "", id: "audio_fake" }, finish_reason },
      usage: { characters },
      request_id: "fake",
    })}\n\n`;
  return {
    contentType: "text/event-stream;charset=UTF-8",
    parts: [
      event(SOUND.subarray(0, 2048).toString("base64"), "null"),
      event(SOUND.subarray(2048).toString("base64"), "null"),
      event("", "stop"),
    ],
    isStream: true,
  };
};

/** https://platform.minimaxi.com/docs/api-reference/speech-t2a-http */
export const minimaxSpeech = (body: Fields): OperationBody => {
  const isWav = fieldsOf(body.audio_setting).format === "wav";
  return json({
    data: { audio: (isWav ? wavOf(SOUND, 24_000, 16) : SOUND).toString("hex"), status: 2 },
    extra_info: { usage_characters: [...String(body.text)].length },
    base_resp: { status_code: 0, status_msg: "success" },
  });
};

/** https://platform.minimax.io/docs/api-reference/speech-to-text */
export const minimaxTranscript = (): OperationBody => json({ text: "Hello.", duration: 3 });
