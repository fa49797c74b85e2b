import { type JsonRecord, readRecord, readString } from "../shared/json/json-values";
import { encodeSeal, isAnthropicSeal } from "../shared/messages/seal";

/*
 * The one place that this shape has for a seal, as Google's own endpoint of this shape writes and wants it:
 * https://ai.google.dev/gemini-api/docs/thought-signatures#openai.
 */

/** The field of a tool call that carries a seal; nothing where there is none. */
export const sealFields = (seal: string | undefined): { extra_content?: object } =>
  seal === undefined ? {} : { extra_content: { google: { thought_signature: seal } } };

/**
 * What a call carries of the thought before it: a seal that its vendor reads alone, without the thought's words, which
 * clients of this shape drop. Anthropic's is none of these.
 */
export const encodeCallSeal = (signature: string | undefined): string | undefined =>
  signature === undefined || isAnthropicSeal(signature) ? undefined : encodeSeal("gemini", signature);

/** The seal in a tool call, "" where there is none. */
export const readCallSeal = (call: JsonRecord): string =>
  readString(readRecord(readRecord(call.extra_content).google).thought_signature);
