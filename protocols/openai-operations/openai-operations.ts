import type { Operation, UpstreamOperations } from "@tollgate/contract/relay/operation";
import { completions } from "./completions";
import { edits } from "./edits";
import { embeddings } from "./embeddings";
import { imageEdits, imageGenerations, imageVariations } from "./images";
import { moderations } from "./moderations";
import { transcriptions, translations } from "./recordings";
import { rerank } from "./rerank";
import { speech } from "./speech";

/** All operations other than chats. */
export const OPERATIONS = {
  completions,
  edits,
  embeddings,
  moderations,
  rerank,
  "images/generations": imageGenerations,
  "images/edits": imageEdits,
  "images/variations": imageVariations,
  "audio/speech": speech,
  "audio/transcriptions": transcriptions,
  "audio/translations": translations,
} satisfies Readonly<Record<string, Operation>>;

/** The name of one of them. */
export type OpenaiOperation = keyof typeof OPERATIONS;

/**
 * OpenAI and vendors of its shape receive all operations, in the client's own bytes; a vendor itself reports a missing
 * one.
 */
export const OPENAI_UPSTREAM_OPERATIONS: UpstreamOperations = Object.fromEntries(
  Object.values(OPERATIONS).map(({ name }) => [name, { path: () => `/v1/${name}`, translation: undefined }]),
);
