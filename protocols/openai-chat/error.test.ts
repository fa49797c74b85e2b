import { describe, expect, it } from "vitest";
import { UPSTREAM_PROTOCOLS } from "../protocols";
import { openaiChat } from "./openai-chat";

const error = (fields: object) => ({
  error: { message: "m", type: null, param: "", code: null, ...fields },
});

describe("readError of openai-chat", () => {
  it.each([
    // The vendor's table.
    [401, error({ code: "invalid_api_key" }), "dead-key"],
    [403, error({ code: "account_deactivated" }), "dead-key"],
    [429, error({ type: "insufficient_quota", code: "insufficient_quota" }), "dead-key"],
    [429, error({ code: "billing_not_active" }), "dead-key"],
    [400, error({ code: "billing_hard_limit_reached" }), "dead-key"],
    [403, error({ code: "unsupported_country_region_territory" }), "unknown"],
    [
      403,
      error({ message: "Project `p` does not have access to model `gpt-5`", code: "model_not_found" }),
      "model-missing",
    ],
    [404, error({ code: "model_not_found" }), "model-missing"],
    [
      401,
      error({ message: "You have insufficient permissions for this operation. Missing scopes: x" }),
      "model-missing",
    ],
    [429, error({ type: "tokens", code: "rate_limit_exceeded" }), "rate-limited"],
    [400, error({ type: "invalid_request_error", code: "context_length_exceeded" }), "caller"],
    [400, error({ type: "invalid_request_error", message: "unknown parameter: 'credit_balance'" }), "caller"],
    [400, error({ type: "invalid_request_error", message: "Your credit balance is too low" }), "dead-key"],
    [500, error({ type: "server_error" }), "overloaded"],
    // Statuses alone.
    [400, {}, "caller"],
    [401, {}, "dead-key"],
    [402, "payment required", "dead-key"],
    [403, "who are you", "unknown"],
    [403, error({ message: "this model is not open to you" }), "model-missing"],
    [403, error({ message: "Your account is suspended" }), "dead-key"],
    [404, undefined, "model-missing"],
    [408, undefined, "overloaded"],
    [413, undefined, "caller"],
    [422, { detail: [{ loc: ["body"], msg: "field required" }] }, "caller"],
    [429, undefined, "rate-limited"],
    [502, "bad gateway", "overloaded"],
    [524, undefined, "overloaded"],
    [418, undefined, "unknown"],
    // Inside a success.
    [200, error({ code: 429 }), "rate-limited"],
    [200, error({ code: 402, message: "Insufficient credits" }), "dead-key"],
    [200, error({ code: 502, message: "Provider returned error" }), "overloaded"],
    [200, error({ type: "invalid_request_error" }), "caller"],
    [200, { code: 1002, message: "rate limit" }, "unknown"],
    [200, { error: "model overloaded" }, "unknown"],
    // Not the vendor at all.
    [502, "<html><h1>502 Bad Gateway</h1></html>", "overloaded"],
    [503, "\n<!DOCTYPE html><title>x</title>", "overloaded"],
    [403, "<!DOCTYPE html><title>Attention Required! | Cloudflare</title>", "unknown"],
    [401, "<html>login</html>", "unknown"],
    [404, "<html>nginx</html>", "unknown"],
    [200, "<html>welcome</html>", "unknown"],
  ])("reads %i %j as %s", (status, body, kind) => {
    expect(openaiChat.readError(status, {}, body)).toMatchObject({ kind, status });
  });

  it("gives the vendor's words and code without secrets, and when to come back", () => {
    const body = error({
      message: "Rate limit reached in organization org-Abc123456 at https://x.test",
      code: "rate_limit_exceeded",
    });
    expect(openaiChat.readError(429, { "retry-after-ms": "2500" }, body)).toEqual({
      kind: "rate-limited",
      status: 429,
      message: "Rate limit reached in organization [account] at [address]",
      code: "rate_limit_exceeded",
      retryAfterSeconds: 2.5,
    });
  });

  it.each([
    [{ error: "plain words" }, "plain words"],
    [{ error: "code_word", message: "the sentence" }, "the sentence"],
    [[{ error: { message: "in a list" } }], "in a list"],
    [{ message: "on top", code: "x" }, "on top"],
    [{ msg: "short" }, "short"],
    [{ error_msg: "baidu", error_code: 17 }, "baidu"],
    [{ detail: "fastapi" }, "fastapi"],
    [{ detail: [{ msg: "first" }] }, "first"],
    [{ errors: [{ message: "one of many" }] }, "one of many"],
    ["just text", "just text"],
    ["<html><body>secret-host.internal</body></html>", ""],
    [undefined, ""],
    [null, ""],
    [42, ""],
    [{}, ""],
    [{ error: { message: { nested: true } } }, ""],
  ])("finds the words in %j", (body, message) => {
    expect(openaiChat.readError(500, {}, body).message).toBe(message);
  });

  it.each(Object.values(UPSTREAM_PROTOCOLS))(
    "takes a web page for no words of the vendor ($name)",
    (protocol) => {
      const error = protocol.readError(502, {}, "<html><body>secret-host.internal</body></html>");
      expect(error).toMatchObject({ kind: "overloaded", message: "", code: "", fault: { code: "web-page" } });
    },
  );
});

describe("encodeError of openai-chat", () => {
  it("puts the request's id into the message", () => {
    const refused = { status: 400, code: "request-invalid", message: "model is required", param: "model" };
    expect(openaiChat.encodeError(refused, "req-1")).toEqual({
      error: {
        message: "model is required (request id: req-1)",
        type: "invalid_request_error",
        param: "model",
        code: "request-invalid",
      },
    });
  });

  it.each([
    [400, "invalid_request_error"],
    [401, "one_api_error"],
    [403, "one_api_error"],
    [404, "invalid_request_error"],
    [413, "invalid_request_error"],
    [429, "rate_limit_exceeded"],
    [500, "server_error"],
    [501, "one_api_error"],
    [502, "server_error"],
    [503, "one_api_error"],
  ])("gives %i the type %s", (status, type) => {
    expect(openaiChat.encodeError({ status, code: "x", message: "m" }, "r")).toMatchObject({
      error: { type, param: "", code: "x" },
    });
  });

  it("ends a stream without an end mark", () => {
    const text = openaiChat.encodeStreamError(
      { status: 502, code: "upstream-interrupted", message: "m" },
      "r",
    );
    expect(text).toMatch(/^data: \{"error":\{.*\}\}\n\n$/);
    expect(text).not.toContain("[DONE]");
  });
});
