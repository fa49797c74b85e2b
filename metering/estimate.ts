/** Tokens that a message costs besides its text, and that the answer's priming costs (contract section 2.4). */
const PER_MESSAGE = 3;
const PRIMING = 3;

/** The contract's approximate count of a text: 0.38 per UTF-8 byte, rounded down (contract section 2.4). */
export const approximateTokens = (utf8Bytes: number): number => Math.floor((utf8Bytes * 38) / 100);

/** What an image or a file counts as where the upstream does not tell: vendors go from some hundreds to some thousands. */
const PER_IMAGE = 1000;

/** Adds what a prompt costs besides its text; a text without messages has no overhead of a chat. */
export const withChatOverhead = (textTokens: number, messages: number, images: number): number =>
  textTokens + (messages === 0 ? 0 : messages * PER_MESSAGE + PRIMING) + images * PER_IMAGE;
