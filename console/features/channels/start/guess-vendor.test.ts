import { VENDOR_CARDS } from "@tollgate/vendors/slim/cards";
import { describe, expect, it } from "vitest";
import { addressFor, guessVendors } from "./guess-vendor";
import { readPasted } from "./read-pasted";

const namesOf = (types: readonly number[]): string[] =>
  types.map((wanted) => VENDOR_CARDS.find(({ type }) => type === wanted)?.name ?? "");

const guess = (text: string): string[] => {
  const { key, address } = readPasted(text);
  return namesOf(guessVendors(key, address));
};

const HEX = "0123456789abcdef0123456789abcdef";

describe("the vendor of a key", () => {
  it.each([
    ["sk-ant-api03-abc", ["Anthropic Claude"]],
    ["sk-proj-abc_def", ["OpenAI"]],
    ["sk-or-v1-abc", ["Relay: OpenRouter"]],
    [`AIza${"x".repeat(35)}`, ["Google Gemini"]],
    ["gsk_abc", ["Groq"]],
    ["xai-abc", ["xAI"]],
    [`${HEX}.AbCdEf0123456789`, ["Zhipu ChatGLM"]],
    ["01234567-89ab-cdef-0123-456789abcdef", ["Volcengine Ark"]],
    ["AKIA0123456789ABCDEF|secret|us-east-1", ["AWS Bedrock"]],
    ['{\n  "type": "service_account",\n  "project_id": "p"\n}', ["Google Vertex AI"]],
    // Several vendors use this key format: the user has to choose.
    [`sk-${HEX}`, ["Alibaba Qwen", "DeepSeek"]],
    ["sk-something-else", []],
    ["hello", []],
  ])("of %j is %j", (text, expected) => {
    expect(guess(text).toSorted()).toEqual(expected.toSorted());
  });

  it("is told by the address first", () => {
    expect(guess("OPENAI_BASE_URL=https://api.deepseek.com/v1\nOPENAI_API_KEY=sk-proj-x")).toEqual([
      "DeepSeek",
    ]);
    expect(guess("https://relay.example/v1\nsk-ant-x")).toEqual(["Custom channel"]);
    expect(guessVendors("sk-x", "no address")).toEqual(guessVendors("sk-x", "https://relay.example"));
  });

  it("answers at its own address, which is not saved with the channel", () => {
    const [deepseek = 0] = guessVendors("", "https://api.deepseek.com/v1");
    expect(addressFor(deepseek, "https://api.deepseek.com/v1")).toBe("");
    expect(addressFor(deepseek, "https://relay.example")).toBe("https://relay.example");
  });
});

describe("a pasted text", () => {
  it.each([
    ["  sk-1  ", "sk-1", ""],
    ["sk-1\n\nsk-2\n", "sk-1\nsk-2", ""],
    ['export OPENAI_API_KEY="sk-1"', "sk-1", ""],
    ["OPENAI_API_KEY=sk-1", "sk-1", ""],
    ['"apiKey": "sk-1",', "sk-1", ""],
    ["Authorization: Bearer sk-1", "sk-1", ""],
    ["Bearer sk-1", "sk-1", ""],
    ["https://a.example/v1/chat/completions\nsk-1", "sk-1", "https://a.example/v1"],
    ["sk-1\nbase_url = 'https://a.example/api/'", "sk-1", "https://a.example/api"],
    [
      "export ANTHROPIC_BASE_URL=http://127.0.0.1:8080\nexport ANTHROPIC_API_KEY=k",
      "k",
      "http://127.0.0.1:8080",
    ],
    ["AKIA0|secret=|us-east-1", "AKIA0|secret=|us-east-1", ""],
    ["id|secret:with:colons|x", "id|secret:with:colons|x", ""],
    ['{"a": "https://x.example"}', '{"a": "https://x.example"}', ""],
    ["", "", ""],
  ])("%j", (text, key, address) => {
    expect(readPasted(text)).toEqual({ key, address });
  });
});
