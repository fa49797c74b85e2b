import { CLIENT_APIS } from "@tollgate/protocols/client-apis";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { describe, expect, it, vi } from "vitest";
import { readChat, readChatInSteps } from "./read-chat";
import { refusalOf } from "./refusal-of";
import { createRouter } from "./router";

const findAsked = createRouter(CLIENT_APIS);

const read = (path: string, body: string | Buffer): unknown => {
  const found = findAsked("POST", path, "");
  if (found?.asked.kind !== "chat") throw new Error(`${path} is no chat`);
  try {
    return readChat(Buffer.from(body), { client: found.api.protocol, address: found.asked.address });
  } catch (error) {
    return refusalOf(error)?.code;
  }
};

const CHAT = "/v1/chat/completions";
const GEMINI = "/v1beta/models/cheap:generateContent";

describe("M3: the body of a chat", () => {
  it.each([
    [CHAT, '{"model":"cheap","Model":"dear"}', "body-name-misspelled"],
    [CHAT, '{"model":"cheap","model":"dear"}', "body-name-twice"],
    [CHAT, '{"Max_Tokens":5}', "body-name-misspelled"],
    [CHAT, '{"\u017ftream":true}', "body-name-misspelled"],
    [CHAT, '{"mod\\u0000el":1}', "body-name-broken"],
    [CHAT, Buffer.from('{"mod\xffel":1}', "latin1"), "body-not-utf8"],
    [CHAT, '\ufeff{"model":"cheap"}', "body-not-json"],
    [CHAT, Buffer.from('{"model":"cheap"}', "utf16le"), "body-not-json"],
    [CHAT, `{"tools":${"[".repeat(5000)}${"]".repeat(5000)}}`, "body-too-deep"],
    [CHAT, `[${"{},".repeat(400_000)}{}]`, "body-holds-too-much"],
    [GEMINI, '{"model":"models/dear"}', "request-invalid"],
    [GEMINI, '{"model":{}}', "request-invalid"],
    [GEMINI, '{"generationConfig":{},"generation_config":{}}', "body-name-twice"],
  ])("of %s: %s is refused", (path, body, code) => {
    expect(read(path, body)).toBe(code);
  });

  it.each([
    [CHAT, '{"model":"cheap","maxTokens":5,"max_tokens":5,"metadata":{"a":1,"A":2}}'],
    [CHAT, '{"\\u006dodel":"cheap"}'],
    [GEMINI, '{"model":"models/cheap","generation_config":{"max_output_tokens":5}}'],
    [GEMINI, '{"model":"cheap"}'],
    [GEMINI, '{"model":null}'],
  ])("of %s: %s is read", (path, body) => {
    expect(read(path, body)).toEqual(JSON.parse(body));
  });
});

describe("a large request whose calls have arguments of many megabytes (issue 11: no hold above 50 ms)", () => {
  const LONG = "word ".repeat(600_000);
  const WRITTEN = JSON.stringify({ LONG });
  const bodies = [
    [
      "anthropic-messages",
      {
        model: "m",
        max_tokens: 5,
        messages: [
          { role: "user", content: "a" },
          { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: { LONG } }] },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "b" }] },
        ],
      },
    ],
    [
      "gemini-generate",
      {
        contents: [
          { role: "user", parts: [{ text: "a" }] },
          { role: "model", parts: [{ functionCall: { name: "f", args: { LONG } } }] },
          { role: "user", parts: [{ functionResponse: { name: "f", response: { LONG } } }] },
        ],
      },
    ],
  ] as const;

  it.each(bodies)("is read, counted and translated without writing them at once: %s", (name, body) => {
    const client = CLIENT_PROTOCOLS[name];
    const rawBody = Buffer.from(JSON.stringify(body));
    const address = name === "gemini-generate" ? { model: "m", isStream: false } : undefined;
    const write = vi.spyOn(JSON, "stringify");
    try {
      const reading = readChatInSteps(rawBody, { client, address });
      let step = reading.next();
      while (!step.done) step = reading.next();
      const read = step.value as Record<string, unknown>;
      expect(client.promptText(read).length).toBeGreaterThan(LONG.length);
      const request = client.parseRequest(read, client.summarizeRequest(read, address));
      const calls = request.turns.flatMap((turn) =>
        turn.role === "assistant" ? turn.parts.filter(({ kind }) => kind === "tool-call") : [],
      );
      expect(calls).toContainEqual(expect.objectContaining({ arguments: WRITTEN }));
      expect(Math.max(...write.mock.results.map(({ value }) => String(value).length))).toBeLessThan(600_000);
    } finally {
      write.mockRestore();
    }
  });
});
