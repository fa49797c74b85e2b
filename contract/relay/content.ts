/**
 * Parts of an answer other than text, for counting where the upstream does not report usage. The numbers of several
 * pieces add up.
 */
export interface MediaContent {
  images: number;
  soundSeconds: number;
  /** Reasoning that only the vendor can read, as it stands on the wire (base64). */
  sealedBytes: number;
  /** Reasoning in words, which are counted as text; the seal beside it may hold the same once more. */
  reasoningBytes: number;
}

export const NO_MEDIA: MediaContent = Object.freeze({
  images: 0,
  soundSeconds: 0,
  sealedBytes: 0,
  reasoningBytes: 0,
});

/** Everything of an answer that a client was given, for counting it. */
export interface DeliveredContent extends MediaContent {
  /** Words, reasoning, names and arguments of calls, code. */
  text: string;
  /** An estimate of the text that is not kept any longer. */
  estimatedTokens: number;
}
