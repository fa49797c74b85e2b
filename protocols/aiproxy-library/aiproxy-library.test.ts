import { describe, expect, it } from "vitest";
import { fixturesOf } from "../shared/testing/fixtures-of";
import { readParts } from "../shared/testing/run-stream";
import { buildWire, PICTURE, TALK } from "../shared/testing/simple-requests";
import { aiproxyLibrary } from "./aiproxy-library";

const readFixture = fixturesOf(import.meta.url);

const LIBRARY = { other: "lib-1", accountId: "" };
const REFERENCES = "\n\n1. [Geo](https://example.com/geo)";

describe("aiproxy-library", () => {
  it("asks the channel's library the last question", () => {
    expect(buildWire(aiproxyLibrary, { ...TALK, isStream: true }, LIBRARY)).toEqual({
      path: "/api/library/ask",
      headers: {},
      body: { model: "m", query: "1+1=?", libraryId: "lib-1", stream: true },
    });
    expect(() => buildWire(aiproxyLibrary, { turns: [] }, LIBRARY)).toThrow("no-question");
    expect(() => buildWire(aiproxyLibrary, PICTURE, LIBRARY)).toThrow("images-unsupported");
  });

  it("names the documents below the answer", () => {
    const answer = aiproxyLibrary.readResponse(JSON.parse(readFixture("response.json").toString()));
    expect(answer?.parts).toEqual([{ kind: "text", text: `Paris${REFERENCES}` }]);
    const parts = readParts(aiproxyLibrary, [readFixture("text-documents.sse")]);
    expect(parts.map((part) => (part.kind === "text" ? part.text : "")).join("")).toBe(
      `Paris 巴黎${REFERENCES}`,
    );
  });

  it("reads a refusal in a success", () => {
    const body = { success: false, errCode: 1001, message: "余额不足", answer: "" };
    expect(aiproxyLibrary.isAnswer(body)).toBe(false);
    expect(aiproxyLibrary.readError(200, {}, body)).toMatchObject({ kind: "dead-key", code: "1001" });
  });
});
