import type { PromptText } from "@tollgate/contract/relay/prompt-text";
import { maxImageTokens, withChatOverhead } from "@tollgate/metering/estimate";
import { findModel } from "@tollgate/vendors/catalogue/catalogue";

/** Maximum tokens that a model can read and write. */
export interface ModelBounds {
  /** One answer, reasoning included. */
  output: number;
  /** The whole prompt. */
  prompt: number;
}

/** For models missing from the catalogue: hardly any of those writes more in one answer. */
const UNKNOWN_OUTPUT = 32_768;

const known = new Map<string, ModelBounds>();
/** Clients may name models that only a fallback price serves. */
const MAX_KNOWN = 10_000;

/** @param model the name after the channel's mapping. */
export const boundsOf = (model: string): ModelBounds => {
  let bounds = known.get(model);
  if (!bounds) {
    const facts = findModel(model)?.facts;
    bounds = {
      output: facts?.outputLimit ?? UNKNOWN_OUTPUT,
      prompt: facts?.context ?? Number.POSITIVE_INFINITY,
    };
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(model, bounds);
  }
  return bounds;
};

/**
 * The most tokens that a prompt may count as: no tokenizer makes more tokens than there are bytes, and no model reads
 * more than its context holds.
 */
export const maxPromptTokens = (prompt: PromptText, model: string): number => {
  const { pieces, messages, images, tokens, files, fileTokens } = prompt;
  let bytes = Math.max(0, pieces.length - 1);
  for (const piece of pieces) bytes += Buffer.byteLength(piece);
  const pictures = images > files ? (images - files) * maxImageTokens(model) : 0;
  return Math.min(boundsOf(model).prompt, withChatOverhead(bytes + tokens, messages) + pictures + fileTokens);
};
