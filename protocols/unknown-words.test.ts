import { describe, expect, it } from "vitest";
import { promptText } from "./anthropic-messages/prompt-text";
import { readStopReason as readMessagesReason } from "./anthropic-messages/stop-reason";
import { modelPath } from "./baidu/model-path";
import { readStopReason as readConverseReason } from "./bedrock-converse/read-answer";
import { readOutput } from "./dashscope/read-answer";
import { readFinishReason as readGeminiReason } from "./gemini-generate/finish-reason";
import { readFinish } from "./hunyuan/read-answer";
import { readFinishReason as readChatReason } from "./openai-chat/finish-reason";
import { findVersion } from "./spark/model-version";

/** Names that every object of JavaScript inherits. */
const INHERITED = ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"];

describe("a word that no table knows, though every object inherits it", () => {
  it.each(INHERITED)("%s, as the reason of an end, is an unknown one", (word) => {
    expect(readChatReason(word, false)).toBe("stop");
    expect(readGeminiReason(word, false)).toBe("stop");
    expect(readMessagesReason(word)).toBe("stop");
    expect(readConverseReason(word)).toBe("stop");
    expect(readFinish(word)).toBe("stop");
    expect(readOutput({ text: "hi", finish_reason: word })?.finishReason).toBe("stop");
  });

  it.each(INHERITED)("%s, as the type of a block, is counted like an unknown one", (type) => {
    const prompt = (block: object) => promptText({ messages: [{ role: "user", content: [block] }] }).text;
    expect(prompt({ type, text: "hi", more: "words" })).toBe(
      prompt({ type: "unknown", text: "hi", more: "words" }),
    );
  });

  it.each(INHERITED)("%s, as a model, is called by its name", (model) => {
    expect(modelPath(model)).toBe(
      `/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/${encodeURIComponent(model.toLowerCase())}`,
    );
    expect(findVersion(model, "v3.5")).toEqual(findVersion("unknown", "v3.5"));
    expect(findVersion(`sparkdesk-${model}`, "").path).toBe(`/${model.toLowerCase()}/chat`);
  });
});
