import { type JsonRecord, readRecord, readString } from "../shared/json/json-values";
import { encodeSeal, isAnthropicSeal } from "../shared/messages/seal";

/*
 * The only field of this shape for a seal, as defined by Google's own endpoint of this shape:
 * https://ai.google.dev/gemini-api/docs/thought-signatures#openai.
 */

/** The field of a tool call that carries a seal; empty without one. */
export const sealFields = (seal: string | undefined): { extra_content?: object } =>
  seal === undefined ? {} : { extra_content: { google: { thought_signature: seal } } };

/**
 * The seal that a call carries for the thought before it: one that its vendor reads without the thought's words, which
 * clients of this shape drop. Anthropic's needs the words.
 */
export const encodeCallSeal = (signature: string | undefined): string | undefined =>
  signature === undefined || isAnthropicSeal(signature) ? undefined : encodeSeal("gemini", signature);

/** The seal in a tool call, "" when it has none. */
export const readCallSeal = (call: JsonRecord): string =>
  readString(readRecord(readRecord(call.extra_content).google).thought_signature);
