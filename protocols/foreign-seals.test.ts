import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import { describe, expect, it } from "vitest";
import { CLIENT_PROTOCOLS } from "./protocols";
import { encodeRedacted, encodeSeal } from "./shared/messages/seal";

type Json = Record<string, unknown>;

const strip = (client: ClientProtocolName, model: string, body: Json): Json =>
  CLIENT_PROTOCOLS[client].withoutForeignSeals(body, model);

describe("Messages", () => {
  const CLAUDE = "claude-sonnet-4-5";
  const user = { role: "user", content: "a" };
  const call = { type: "tool_use", id: "t", name: "f", input: {} };
  const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "r" }] };
  const thinking = (signature?: string) => ({ type: "thinking", thinking: "Hmm", signature });
  const assistant = (...content: object[]) => ({ role: "assistant", content });
  const ON = { type: "enabled", budget_tokens: 1024 };

  it("drops a turn that consists only of foreign thinking", () => {
    const sent = strip("anthropic-messages", CLAUDE, {
      messages: [user, assistant(thinking("openai.x")), user],
    });
    expect(sent).toEqual({ messages: [user, user] });
  });

  it("drops `thinking` where a budget model must continue a call without its thinking", () => {
    const edits = [{ type: "clear_thinking_20251015" }, { type: "clear_tool_uses_20250919" }];
    const messages = [user, assistant(thinking(""), call), result];
    const body = { thinking: ON, context_management: { edits }, messages };
    expect(strip("anthropic-messages", CLAUDE, body)).toEqual({
      context_management: { edits: [{ type: "clear_tool_uses_20250919" }] },
      messages: [user, assistant(call), result],
    });
    expect(strip("anthropic-messages", "claude-opus-5", body)).toHaveProperty("thinking", ON);
  });

  it("keeps `thinking` where the newest turn has Anthropic's own", () => {
    const own = assistant(thinking("EqQB"), call);
    const body = {
      thinking: ON,
      messages: [user, assistant(thinking("gemini.x"), call), result, own, result],
    };
    expect(strip("anthropic-messages", CLAUDE, body)).toEqual({
      thinking: ON,
      messages: [user, assistant(call), result, own, result],
    });
  });

  it("keeps thinking without a signature for vendors that sign nothing", () => {
    const body = { messages: [user, assistant(thinking(), call), result] };
    expect(strip("anthropic-messages", "deepseek-chat", body)).toBe(body);
    expect(strip("anthropic-messages", CLAUDE, body)).not.toBe(body);
  });
});

describe("Responses", () => {
  it("drops reasoning of other vendors alone", () => {
    const sealed = (encrypted_content: string) => ({
      type: "reasoning",
      id: "rs_1",
      summary: [],
      encrypted_content,
    });
    const hello = { role: "user", content: "hi" };
    const foreign = [sealed(encodeSeal("openai", "EqQB")), sealed(encodeRedacted("x"))];
    const body = { input: [hello, ...foreign, sealed("gAAA")] };
    expect(strip("openai-responses", "gpt-5", body)).toEqual({ input: [hello, sealed("gAAA")] });
    for (const input of [[hello, sealed("gAAA")], "hi"]) {
      const own = { input };
      expect(strip("openai-responses", "gpt-5", own)).toBe(own);
    }
  });
});

describe("Chat Completions", () => {
  const calling = (seal: string) => ({
    messages: [
      { role: "user", content: "hi" },
      {
        role: "assistant",
        tool_calls: [
          {
            id: "1",
            type: "function",
            function: { name: "f", arguments: "{}" },
            extra_content: { google: { thought_signature: seal } },
          },
        ],
      },
    ],
  });

  it("drops other vendors' seals, and Gemini's for models that read none", () => {
    const foreign = calling(encodeSeal("gemini", "openai.x"));
    expect(JSON.stringify(strip("openai-chat", "gemini-3-pro", foreign))).not.toContain("extra_content");
    expect(JSON.stringify(strip("openai-chat", "gpt-5", calling("CiQB")))).not.toContain("extra_content");
    const own = calling("CiQB");
    expect(strip("openai-chat", "google/gemini-3-pro", own)).toBe(own);
  });
});

describe("Gemini", () => {
  const LOST = "skip_thought_signature_validator";
  const user = { role: "user", parts: [{ text: "hi" }] };
  const functionCall = { name: "f", args: {} };
  const foreign = encodeSeal("gemini", "openai.x");
  const model = (...parts: object[]) => ({ role: "model", parts });

  it("drops other vendors' seals, and marks the first call of a turn where the model requires one", () => {
    const body = {
      contents: [
        user,
        model({ text: "", thought: true, thoughtSignature: encodeSeal("gemini", "EqQB") }),
        model({ functionCall, thought_signature: foreign }, { functionCall }),
        user,
        model({ text: "b", thoughtSignature: foreign }),
      ],
    };
    expect(strip("gemini-generate", "gemini-3-pro", body)).toEqual({
      contents: [
        user,
        model({ functionCall, thoughtSignature: LOST }, { functionCall }),
        user,
        model({ text: "b" }),
      ],
    });
    expect(JSON.stringify(strip("gemini-generate", "gemini-2.5-pro", body))).not.toMatch(/signature/i);
  });

  it("changes nothing where the turn has Google's own seal", () => {
    const body = {
      contents: [user, model({ functionCall, thoughtSignature: "CiQB" }), model({ functionCall }), user],
    };
    expect(strip("gemini-generate", "gemini-3-pro", body)).toBe(body);
  });
});
