import type { Operation, OperationName, UpstreamOperation } from "@tollgate/contract/relay/operation";
import { completions } from "./completions";
import { edits } from "./edits";
import { embeddings } from "./embeddings";
import { imageEdits, imageGenerations, imageVariations } from "./images";
import { moderations } from "./moderations";
import { transcriptions, translations } from "./recordings";
import { rerank } from "./rerank";
import { speech } from "./speech";

/** Everything that clients can ask for besides a chat. */
export const OPERATIONS: Readonly<Record<OperationName, Operation>> = {
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
};

const unchanged = (name: string): UpstreamOperation => ({
  path: () => `/v1/${name}`,
  translation: undefined,
});

/** OpenAI and the vendors of its shape take them all, in the client's own bytes; what one lacks it says itself. */
export const OPENAI_UPSTREAM_OPERATIONS: Readonly<Record<OperationName, UpstreamOperation>> = {
  completions: unchanged("completions"),
  edits: unchanged("edits"),
  embeddings: unchanged("embeddings"),
  moderations: unchanged("moderations"),
  rerank: unchanged("rerank"),
  "images/generations": unchanged("images/generations"),
  "images/edits": unchanged("images/edits"),
  "images/variations": unchanged("images/variations"),
  "audio/speech": unchanged("audio/speech"),
  "audio/transcriptions": unchanged("audio/transcriptions"),
  "audio/translations": unchanged("audio/translations"),
};
