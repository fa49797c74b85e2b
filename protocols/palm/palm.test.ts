import { describe, expect, it } from "vitest";
import { fixturesOf } from "../shared/testing/fixtures-of";
import { buildWire, PICTURE, TALK } from "../shared/testing/simple-requests";
import { palm } from "./palm";

const readFixture = fixturesOf(import.meta.url);

describe("palm", () => {
  it("asks the one model, with instructions as the context", () => {
    expect(buildWire(palm, { ...TALK, model: "PaLM-2", isStream: true, topK: 40, topP: 0.5 })).toEqual({
      path: "/v1beta2/models/chat-bison-001:generateMessage",
      headers: {},
      body: {
        prompt: {
          context: "be brief",
          messages: [
            { author: "0", content: "hi" },
            { author: "1", content: "Hello" },
            { author: "0", content: "1+1=?" },
          ],
        },
        candidateCount: 1,
        topP: 0.5,
        topK: 40,
      },
    });
    expect(buildWire(palm, { model: "chat-bison-002" }).path).toContain("/chat-bison-002:");
    expect(() => buildWire(palm, PICTURE)).toThrow("images-unsupported");
  });

  it("reads an answer, a filtered one and a refusal; no usage is told", () => {
    const answer = palm.readResponse(JSON.parse(readFixture("response.json").toString()));
    expect(answer).toMatchObject({ parts: [{ kind: "text", text: "Hello! 你好" }], finishReason: "stop" });
    expect(answer?.usage.inputTokens).toBeUndefined();
    expect(palm.readResponse({ filters: [{ reason: "SAFETY" }] })?.finishReason).toBe("content-filter");
    expect(palm.isAnswer({ candidates: [] })).toBe(false);
    const error = { code: 404, message: "models/chat-bison-001 is not found", status: "NOT_FOUND" };
    expect(palm.isAnswer({ error })).toBe(false);
    expect(palm.readError(404, {}, { error }).kind).toBe("model-missing");
  });
});
