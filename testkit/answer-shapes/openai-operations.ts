import { type Answer, cutIntoPieces } from "./answer";

// https://platform.openai.com/docs/api-reference: embeddings, moderations, images, audio; https://jina.ai/reranker

/** The body of a good answer, in the parts in which it is written. */
export interface OperationBody {
  contentType: string;
  parts: (string | Uint8Array)[];
  isStream: boolean;
}

/** A request's fields: its JSON, or the text fields of its form. */
type Fields = Readonly<Record<string, unknown>>;

/** Settings of an operation's answer. */
interface OperationSettings {
  fields: Fields;
  answer: Answer;
  hasUsage: boolean;
  /** Length of the sent recording; undefined when it is not reported. */
  seconds: number | undefined;
}

type EncodeOperation = (settings: OperationSettings) => OperationBody;

const event = (data: { type: string; [field: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** JSON in one part. */
export const json = (body: unknown): OperationBody => ({
  contentType: "application/json",
  parts: [JSON.stringify(body)],
  isStream: false,
});

const events = (parts: string[]): OperationBody => ({
  contentType: "text/event-stream; charset=utf-8",
  parts,
  isStream: true,
});

/** A list, or a single value as a list; token numbers are a single value. */
export const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) && typeof value[0] !== "number" ? value : [value];

/** The vector of every text: exact in 32 bits. */
export const VECTOR = [0.5, -0.25, 0.125];
const VECTOR_BASE64 = Buffer.from(Float32Array.from(VECTOR).buffer).toString("base64");

const embeddings: EncodeOperation = ({ fields, answer, hasUsage }) =>
  json({
    object: "list",
    model: answer.model,
    data: listOf(fields.input).map((_, index) => ({
      object: "embedding",
      index,
      embedding: fields.encoding_format === "base64" ? VECTOR_BASE64 : VECTOR,
    })),
    ...(hasUsage ? { usage: { prompt_tokens: answer.usage.input, total_tokens: answer.usage.input } } : {}),
  });

const moderations: EncodeOperation = ({ fields, answer }) =>
  json({
    id: answer.id,
    model: answer.model,
    results: listOf(fields.input).map(() => ({
      flagged: false,
      categories: { violence: false },
      category_scores: { violence: 0.001 },
    })),
  });

const rerank: EncodeOperation = ({ fields, answer, hasUsage }) =>
  json({
    model: answer.model,
    results: listOf(fields.documents).map((document, index) => ({
      index,
      relevance_score: 1 / (index + 1),
      document: { text: document },
    })),
    ...(hasUsage ? { usage: { total_tokens: answer.usage.input } } : {}),
  });

/** Cohere bills by searches and gives no documents back: https://docs.cohere.com/reference/rerank */
const cohereRerank: EncodeOperation = ({ fields, answer }) =>
  json({
    id: answer.id,
    results: listOf(fields.documents).map((_, index) => ({ index, relevance_score: 1 / (index + 1) })),
    meta: { api_version: { version: "2" }, billed_units: { search_units: 1 } },
  });

const edits: EncodeOperation = ({ answer, hasUsage }) =>
  json({
    object: "edit",
    created: answer.createdAt,
    choices: [{ index: 0, text: answer.pieces.join("") }],
    ...(hasUsage
      ? { usage: { prompt_tokens: answer.usage.input, completion_tokens: answer.usage.output } }
      : {}),
  });

/** A picture of one pixel would do; its bytes are never looked at. */
const PICTURE = Buffer.from("a picture").toString("base64");

const imageUsage = ({ usage }: Answer) => ({
  input_tokens: usage.input,
  output_tokens: usage.output,
  total_tokens: usage.input + usage.output,
});

const images: EncodeOperation = ({ fields, answer, hasUsage }) => {
  const isByTokens = answer.model.startsWith("gpt-image") && hasUsage;
  const usage = isByTokens ? { usage: imageUsage(answer) } : {};
  if (fields.stream === true || fields.stream === "true") {
    return events([
      event({ type: "image_generation.partial_image", partial_image_index: 0, b64_json: PICTURE }),
      event({ type: "image_generation.partial_image", partial_image_index: 1, b64_json: PICTURE }),
      event({ type: "image_generation.completed", b64_json: PICTURE, ...usage }),
    ]);
  }
  const one =
    fields.response_format === "b64_json"
      ? { b64_json: PICTURE }
      : { url: "https://example.com/picture.png" };
  const count = Math.max(1, Number(fields.n ?? 1));
  return json({ created: answer.createdAt, data: Array.from({ length: count }, () => one), ...usage });
};

/** The audio for every text. */
export const SOUND = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 31 + 255) % 256));

const speech: EncodeOperation = ({ fields, answer }) => {
  if (fields.stream_format === "sse") {
    return events([
      event({ type: "speech.audio.delta", audio: SOUND.subarray(0, 2048).toString("base64") }),
      event({ type: "speech.audio.delta", audio: SOUND.subarray(2048).toString("base64") }),
      event({ type: "speech.audio.done", usage: imageUsage(answer) }),
    ]);
  }
  const parts = [0, 1, 2, 3].map((index) => SOUND.subarray(index * 1024, (index + 1) * 1024));
  return { contentType: "audio/mpeg", parts, isStream: true };
};

const recordings: EncodeOperation = ({ fields, answer, hasUsage, seconds }) => {
  const text = answer.pieces.join("");
  const isByTokens = answer.model.startsWith("gpt-4o") && hasUsage;
  const usage = isByTokens
    ? { usage: { type: "tokens", ...imageUsage(answer) } }
    : seconds !== undefined && hasUsage
      ? { usage: { type: "duration", seconds } }
      : {};
  if (fields.stream === "true") {
    const deltas = cutIntoPieces(text, 4).map((delta) => event({ type: "transcript.text.delta", delta }));
    return events([...deltas, event({ type: "transcript.text.done", text, ...usage })]);
  }
  switch (fields.response_format) {
    case "text":
      return { contentType: "text/plain; charset=utf-8", parts: [`${text}\n`], isStream: false };
    case "srt":
      return {
        contentType: "application/x-subrip",
        parts: [`1\n00:00:00,000 --> 00:00:01,000\n${text}\n\n`],
        isStream: false,
      };
    case "vtt":
      return {
        contentType: "text/vtt",
        parts: [`WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n${text}\n\n`],
        isStream: false,
      };
    case "verbose_json":
      return json({ task: "transcribe", language: "english", duration: seconds ?? 1, text, segments: [] });
    default:
      return json({ text, ...usage });
  }
};

/** All operations of an upstream of OpenAI's format except chats and completions. */
export const OPENAI_OPERATIONS: Readonly<Record<string, EncodeOperation>> = {
  "/v1/embeddings": embeddings,
  "/v1/moderations": moderations,
  "/v1/rerank": rerank,
  "/v2/rerank": cohereRerank,
  "/v1/edits": edits,
  "/v1/images/generations": images,
  "/v1/images/edits": images,
  "/v1/images/variations": images,
  "/v1/audio/speech": speech,
  "/v1/audio/transcriptions": recordings,
  "/v1/audio/translations": recordings,
};
