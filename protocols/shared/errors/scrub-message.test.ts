import { describe, expect, it } from "vitest";
import { scrubMessage } from "./scrub-message";

describe("scrubMessage", () => {
  it.each([
    ["Incorrect API key provided: sk-proj-AbC123**********xyz9.", "Incorrect API key provided: [key]."],
    ["invalid x-api-key sk-ant-api03-Zz_9-8", "invalid x-api-key [key]"],
    ["API key AIzaSyA1234567890abcdef not valid", "API key [key] not valid"],
    ["SecretId AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE", "SecretId [key]"],
    [
      "Limit reached in organization org-AbCdEf123456 on requests",
      "Limit reached in organization [account] on requests",
    ],
    ["token ya29.a0AfB_by-9x is invalid", "token [key] is invalid"],
    [
      "Publisher Model `projects/my-project-1/locations/global/publishers/google/models/m` was not found.",
      "Publisher Model `projects/[account]/locations/global/publishers/google/models/m` was not found.",
    ],
    [
      "Vertex AI API has not been used in projects/123.",
      "Vertex AI API has not been used in projects/[account].",
    ],
    ["contact jane.doe+x@example.com now", "contact [email] now"],
    ["see https://platform.openai.com/account/api-keys.", "see [address]"],
    ['Post "http://10.1.2.3:8080/v1/chat": refused', 'Post "[address]": refused'],
    ["dial tcp 192.168.0.7:443: connect refused", "dial tcp [address]: connect refused"],
    ["dial tcp: lookup upstream-7 on dns", "dial tcp: lookup [address] on dns"],
    ["no route to api.relay.example.com:8443 today", "no route to [address] today"],
    ["gateway llm.prod.internal is down", "gateway [address] is down"],
    ["Authorization: Bearer abc.def-123 rejected", "Authorization: Bearer [key] rejected"],
    ["token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig expired", "token [key] expired"],
  ])("takes secrets and addresses out of %j", (message, expected) => {
    expect(scrubMessage(message)).toBe(expected);
  });

  it.each([
    "The model `gpt-3.5-turbo-0125` does not exist",
    "messages.0.content.1.text: field required",
    "This model's maximum context length is 8192 tokens, however you requested 9000 tokens.",
    "temperature must be <= 2.0; task-force desk-side risk-free",
    "Unsupported value: 'tools[0].function' 余额不足",
    "prompt is too long: 200001 tokens > 200000 maximum",
  ])("leaves %j alone", (message) => {
    expect(scrubMessage(message)).toBe(message);
  });

  it("cuts a long message without cutting a key in half", () => {
    const long = scrubMessage(`${"word ".repeat(500)}sk-abcdefghijk`);
    expect(long.length).toBe(1001);
    const urls = `${"http://a.example.com/x ".repeat(173)} sk-abcdefghijklmnopqrstuvwxyz`;
    expect(scrubMessage(urls)).not.toContain("sk-");
  });
});
