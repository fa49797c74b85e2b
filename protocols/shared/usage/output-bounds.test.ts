import { describe, expect, it } from "vitest";
import { readOutputBounds } from "./output-bounds";

describe("readOutputBounds (M2)", () => {
  it.each<[Record<string, unknown>, number | undefined, number]>([
    [{ max_tokens: 5 }, 5, 1],
    [{ max_tokens: 5, max_completion_tokens: 7, max_output_tokens: 6 }, 7, 1],
    [{ max_tokens: 5, maxOutputTokens: 9, num_predict: 8 }, 9, 1],
    [{ max_tokens: 5, max_new_tokens: "11" }, 11, 1],
    [{ max_tokens: 5, max_new_tokens: 11.5 }, 12, 1],
    [{ max_tokens: 5, generationConfig: { maxOutputTokens: 30, candidateCount: 4 } }, 30, 4],
    [{ max_tokens: 5, extra_body: { google: { thinking_config: { thinkingBudget: 40 } } } }, 40, 1],
    [{ max_tokens: 5, thinking: { budget_tokens: 50 } }, 50, 1],
    [{ max_tokens: 5, reasoning: { max_tokens: 60 } }, 60, 1],
    // On top of the limit, where it is Qwen's.
    [{ max_tokens: 5, enable_thinking: true, thinking_budget: 70 }, 75, 1],
    [{ max_tokens: 5, enable_thinking: true }, undefined, 1],
    // "As much as you like".
    [{ max_tokens: 5, num_predict: -1 }, undefined, 1],
    [{ max_tokens: 5, max_length: 1e300 }, undefined, 1],
    [{ max_tokens: 5, max_length: null, options: "x", n_predict: "many" }, 5, 1],
    [{ max_tokens: 5, n: 2, best_of: 3, num_return_sequences: "4" }, 5, 4],
    [{ max_tokens: 5, best_of: 1e9 }, 5, 1024],
  ])("of %j", (body, tokens, answers) => {
    expect(readOutputBounds(body, true)).toEqual({ tokens, answers });
    expect(readOutputBounds(body, false)).toEqual({ tokens: undefined, answers });
  });

  it("does not follow sections without end", () => {
    let body: Record<string, unknown> = { max_tokens: 9 };
    for (let i = 0; i < 100_000; i += 1) body = { options: body };
    expect(readOutputBounds(body, true)).toEqual({ tokens: 0, answers: 1 });
  });
});
