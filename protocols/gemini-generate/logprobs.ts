import type { TokenLogprob } from "@tollgate/contract/relay/request";
import { isRecord, type JsonRecord, readArray, readRecord } from "../shared/json/json-values";

const readToken = (value: unknown): TokenLogprob[] =>
  isRecord(value) && typeof value.token === "string" && typeof value.logProbability === "number"
    ? [{ token: value.token, logprob: value.logProbability }]
    : [];

/** Reads `logprobsResult` (https://ai.google.dev/api/generate-content#LogprobsResult) of a candidate. */
export const readLogprobs = (candidate: JsonRecord): TokenLogprob[] | undefined => {
  const { chosenCandidates, topCandidates } = readRecord(candidate.logprobsResult);
  const tops = readArray(topCandidates);
  const tokens = readArray(chosenCandidates).flatMap((value, index) =>
    readToken(value).map((token): TokenLogprob => {
      const alternatives = readArray(readRecord(tops[index]).candidates).flatMap(readToken);
      return { ...token, alternatives };
    }),
  );
  return tokens.length === 0 ? undefined : tokens;
};

const encodeToken = ({ token, logprob }: TokenLogprob) => ({ token, logProbability: logprob });

/** The field of a candidate; empty when the upstream reports no probabilities. */
export const encodeLogprobs = (tokens: readonly TokenLogprob[] | undefined): { logprobsResult?: object } =>
  tokens === undefined
    ? {}
    : {
        logprobsResult: {
          chosenCandidates: tokens.map(encodeToken),
          topCandidates: tokens.map(({ alternatives = [] }) => ({
            candidates: alternatives.map(encodeToken),
          })),
        },
      };
