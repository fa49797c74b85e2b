import type { TokenLogprob } from "@tollgate/contract/relay/request";
import { isRecord, readArray } from "../json/json-values";

/** No vendor reports more alternatives of a token. */
const MAX_ALTERNATIVES = 20;

const readToken = (value: unknown): TokenLogprob[] => {
  if (!isRecord(value) || typeof value.token !== "string" || typeof value.logprob !== "number") return [];
  const bytes = readArray(value.bytes).filter((byte) => typeof byte === "number");
  return [{ token: value.token, logprob: value.logprob, ...(bytes.length > 0 ? { bytes } : {}) }];
};

/** Reads the list of token probabilities in both of OpenAI's protocols; undefined for an empty list. */
export const readOpenaiLogprobs = (list: unknown): TokenLogprob[] | undefined => {
  const tokens = readArray(list).flatMap((value) =>
    readToken(value).map((token): TokenLogprob => {
      const top = readArray(isRecord(value) ? value.top_logprobs : undefined);
      return { ...token, alternatives: top.slice(0, MAX_ALTERNATIVES).flatMap(readToken) };
    }),
  );
  return tokens.length === 0 ? undefined : tokens;
};

const encodeToken = ({ token, logprob, bytes }: TokenLogprob) => ({
  token,
  logprob,
  bytes: bytes ?? [...Buffer.from(token)],
});

/** Writes the same list for a client. */
export const encodeOpenaiLogprobs = (tokens: readonly TokenLogprob[] = []): unknown[] =>
  tokens.map((token) => ({
    ...encodeToken(token),
    top_logprobs: (token.alternatives ?? []).map(encodeToken),
  }));

/** The tokens of all pieces of one text; undefined when no piece has any. */
export const joinLogprobs = (
  before: readonly TokenLogprob[] | undefined,
  after: readonly TokenLogprob[] | undefined,
): TokenLogprob[] | undefined => (before || after ? [...(before ?? []), ...(after ?? [])] : undefined);
