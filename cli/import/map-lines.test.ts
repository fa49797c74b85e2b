import { expect, it } from "vitest";
import { createLineMapper } from "./map-lines";
import { TableRemarks } from "./table-remarks";

const NOW = 1_767_225_600;

const usesOf = (rows: readonly { prompt_tokens: number; other?: string }[]) => {
  const remarks = new TableRemarks("logs");
  const origin = { series: "new-api", version: undefined } as const;
  const lines = createLineMapper(origin, new Map(), [], NOW, remarks);
  return rows.map((row, index) => {
    const line = lines.map({ id: index + 1, type: 2, user_id: 1, created_at: NOW, quota: 1, ...row });
    return [line?.promptTokens, line?.cacheReadTokens, line?.cacheWriteTokens];
  });
};

it("keeps the cached tokens of new-api's lines, as a part of the prompt", () => {
  expect(
    usesOf([
      { prompt_tokens: 1000, other: '{"model_ratio":1,"cache_tokens":600,"cache_ratio":0.5}' },
      // Anthropic's own count leaves the cache out.
      { prompt_tokens: 100, other: '{"claude":true,"cache_tokens":600,"cache_creation_tokens":50}' },
      {
        prompt_tokens: 100,
        other: '{"usage_semantic":"anthropic","cache_creation_tokens_5m":7,"cache_creation_tokens_1h":8}',
      },
      // A count of 0 tells that the cache had nothing.
      { prompt_tokens: 10, other: '{"cache_tokens":0}' },
    ]),
  ).toEqual([
    [1000, 600, undefined],
    [750, 600, 50],
    [115, undefined, 15],
    [10, 0, undefined],
  ]);
});

it("leaves lines that tell no use of a cache, or none that can be read, as they are", () => {
  const plain = [10, undefined, undefined];
  expect(
    usesOf([
      { prompt_tokens: 10 },
      { prompt_tokens: 10, other: '{"frt":100}' },
      { prompt_tokens: 10, other: '{"cache_tokens":' },
      { prompt_tokens: 10, other: '{"cache_tokens":-5}' },
      { prompt_tokens: 10, other: '{"cache_tokens":"many"}' },
    ]),
  ).toEqual([plain, plain, plain, plain, plain]);
});
