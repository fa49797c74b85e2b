import { CLIENT_APIS } from "@tollgate/protocols/client-apis";
import { describe, expect, it } from "vitest";
import { readChat } from "./read-chat";
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
