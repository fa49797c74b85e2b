import type { ProtocolName } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { describe, expect, it } from "vitest";
import { UPSTREAM_PROTOCOLS } from "./protocols";
import { isRecord, readRecord } from "./shared/json/json-values";
import { TEST_FIELDS } from "./shared/testing/request-parts";
import { HI } from "./shared/testing/simple-requests";

/*
 * The hold is taken for `outputLimit`, so it must be what the upstream is really told.
 */

const FIELDS = ["max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens", "maxTokens"];

/** Every limit in a body, wherever it stands. */
const limitsIn = (value: unknown): number[] => {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) =>
    FIELDS.includes(field) && typeof inner === "number" ? [inner] : limitsIn(inner),
  );
};

const MODELS = [
  "claude-3-5-haiku",
  "claude-3-7-sonnet-20250219",
  "claude-opus-4-1",
  "claude-opus-4-8",
  "gpt-4o",
  "o3",
  "gemini-2.5-flash",
  "SparkDesk-v1.1",
  "generalv3.5",
  "other-model",
];
const REASONING: ChatRequest["reasoning"][] = [
  undefined,
  { effort: "none" },
  { effort: "low" },
  { effort: "max" },
  { budgetTokens: 5000 },
];

const REQUESTS: ChatRequest[] = MODELS.flatMap((model) =>
  REASONING.flatMap((reasoning) =>
    [1, 100, 50_000].flatMap((maxOutputTokens) =>
      [false, true].map((isStream) => ({
        ...HI,
        model,
        maxOutputTokens,
        reasoning,
        isStream,
      })),
    ),
  ),
);

describe.each(Object.keys(UPSTREAM_PROTOCOLS) as ProtocolName[])("the limit that %s is held to", (name) => {
  const protocol = UPSTREAM_PROTOCOLS[name];

  it("is the one that is sent", () => {
    for (const request of REQUESTS) {
      const body: unknown = JSON.parse(JSON.stringify(protocol.buildRequest(request, TEST_FIELDS).body));
      const limits = limitsIn(body);
      expect(limits.length, "one limit at most").toBeLessThan(2);
      // Here thinking is limited apart: see the protocol's own test.
      if (readRecord(readRecord(body).parameters).enable_thinking === true) continue;
      const limit = protocol.outputLimit(request, TEST_FIELDS);
      expect({ request, limit }).toEqual({ request, limit: limits[0] });
    }
  });
});
