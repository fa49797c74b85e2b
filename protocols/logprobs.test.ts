import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import type { StreamPart } from "@tollgate/contract/relay/stream";
import { describe, expect, it } from "vitest";
import { CLIENT_PROTOCOLS, UPSTREAM_PROTOCOLS } from "./protocols";
import { StopCutter } from "./shared/request/stop-sequences";
import { parseWritten, readParts, STAMP, writeParts } from "./shared/testing/run-stream";

/*
 * Log probabilities of an answer, from each protocol that tells them to each.
 */

type Json = Record<string, unknown>;

const openai = (token: string, logprob: number): Json => ({
  token,
  logprob,
  bytes: [...Buffer.from(token)],
  top_logprobs: [{ token, logprob, bytes: [...Buffer.from(token)] }],
});
const TOKENS = [openai("Hel", -0.5), openai("lo", -0.25)];
const google = (token: string, logProbability: number): Json => ({ token, logProbability });
const RESULT = {
  chosenCandidates: [google("Hel", -0.5), google("lo", -0.25)],
  topCandidates: [{ candidates: [google("Hel", -0.5)] }, { candidates: [google("lo", -0.25)] }],
};

const WHOLE: Readonly<Partial<Record<ClientProtocolName, Json>>> = {
  "openai-chat": {
    id: "x",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "Hello" },
        logprobs: { content: TOKENS },
        finish_reason: "stop",
      },
    ],
  },
  "openai-responses": {
    id: "x",
    status: "completed",
    output: [{ type: "message", content: [{ type: "output_text", text: "Hello", logprobs: TOKENS }] }],
  },
  "gemini-generate": {
    candidates: [
      {
        content: { role: "model", parts: [{ text: "Hello" }] },
        finishReason: "STOP",
        logprobsResult: RESULT,
      },
    ],
  },
};

const STREAMED: Readonly<Partial<Record<ClientProtocolName, readonly Json[]>>> = {
  "openai-chat": [
    ...TOKENS.map((token) => ({
      id: "x",
      choices: [{ index: 0, delta: { content: token.token }, logprobs: { content: [token] } }],
    })),
    { id: "x", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  ],
  "openai-responses": [
    { type: "response.created", response: { id: "x" } },
    ...TOKENS.map((token) => ({
      type: "response.output_text.delta",
      output_index: 0,
      delta: token.token,
      logprobs: [token],
    })),
    { type: "response.completed", response: { id: "x", status: "completed", output: [] } },
  ],
  "gemini-generate": [
    {
      candidates: [
        {
          content: { parts: [{ text: "Hel" }] },
          logprobsResult: {
            chosenCandidates: [google("Hel", -0.5)],
            topCandidates: [{ candidates: [google("Hel", -0.5)] }],
          },
        },
      ],
    },
    {
      candidates: [
        {
          content: { parts: [{ text: "lo" }] },
          finishReason: "STOP",
          logprobsResult: {
            chosenCandidates: [google("lo", -0.25)],
            topCandidates: [{ candidates: [google("lo", -0.25)] }],
          },
        },
      ],
    },
  ],
};

const PROTOCOLS = Object.keys(WHOLE) as ClientProtocolName[];
const PAIRS = PROTOCOLS.flatMap((from) =>
  PROTOCOLS.filter((to) => to !== from).map((to) => [from, to] as const),
);

/** Every token that an answer, or a stream's pieces, tell once: without what repeats them at the end. */
const tokensIn = (client: ClientProtocolName, answer: unknown): unknown => {
  const text = JSON.stringify(answer);
  const found =
    client === "gemini-generate"
      ? [...text.matchAll(/"chosenCandidates":\[(.*?)\]/g)]
      : [...text.matchAll(/\{"token":"(?:Hel|lo)","logprob":[^{}]*"top_logprobs":\[\{[^{}]*\}\]\}/g)];
  return found.map(([match, inner]) => inner ?? (JSON.parse(match) as unknown));
};

const streamOf = (from: ClientProtocolName): StreamPart[] =>
  readParts(UPSTREAM_PROTOCOLS[from], [
    new TextEncoder().encode(
      (STREAMED[from] ?? []).map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""),
    ),
  ]);

describe("log probabilities", () => {
  it.each(PAIRS)("of a whole answer go from %s to %s", (from, to) => {
    const response = UPSTREAM_PROTOCOLS[from].readResponse(WHOLE[from]);
    expect(response).toBeDefined();
    const encoded: unknown = response && CLIENT_PROTOCOLS[to].encodeResponse(response, STAMP);
    if (to === "gemini-generate") expect(encoded).toMatchObject({ candidates: [{ logprobsResult: RESULT }] });
    else expect(tokensIn(to, encoded)).toEqual(TOKENS);
  });

  it.each(PAIRS)("of a stream go from %s to %s", (from, to) => {
    const events = parseWritten(writeParts(CLIENT_PROTOCOLS[to], streamOf(from))).map(({ data }) => data);
    if (to === "gemini-generate") {
      expect(tokensIn(to, events)).toEqual([
        '{"token":"Hel","logProbability":-0.5}',
        '{"token":"lo","logProbability":-0.25}',
      ]);
      return;
    }
    // Responses repeats them where the text ends.
    expect((tokensIn(to, events) as unknown[]).slice(0, 2)).toEqual(TOKENS);
  });

  it.each(PROTOCOLS)("of a cut answer of %s end where its text ends", (from) => {
    const cutter = new StopCutter(["lo"]);
    const parts = streamOf(from).flatMap((part) => cutter.push(part));
    const texts = parts.filter((part) => part.kind === "text");
    expect(texts.map(({ text }) => text).join("")).toBe("Hel");
    expect(texts.flatMap(({ logprobs = [] }) => logprobs.map(({ token }) => token))).toEqual(["Hel"]);
  });
});
