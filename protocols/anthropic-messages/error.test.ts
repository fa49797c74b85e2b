import { describe, expect, it } from "vitest";
import { anthropicMessages } from "./anthropic-messages";

const error = (type: string, message = "m") => ({
  type: "error",
  error: { type, message },
  request_id: "req_1",
});

describe("readError of anthropic-messages", () => {
  it.each([
    [401, error("authentication_error", "invalid x-api-key"), "dead-key"],
    [402, error("billing_error"), "dead-key"],
    [400, error("invalid_request_error", "Your credit balance is too low to access the API."), "dead-key"],
    [400, error("invalid_request_error", "This organization has been disabled."), "dead-key"],
    [403, error("permission_error", "Your API key does not have permission"), "dead-key"],
    [403, error("permission_error", "This account cannot use the model claude-x"), "model-missing"],
    [404, error("not_found_error", "model: claude-9"), "model-missing"],
    [400, error("invalid_request_error", "prompt is too long: 200001 tokens > 200000 maximum"), "caller"],
    [400, error("invalid_request_error", "messages: text content blocks must be non-empty"), "caller"],
    [413, error("request_too_large"), "caller"],
    [429, error("rate_limit_error", "This request would exceed your rate limit"), "rate-limited"],
    [429, error("rate_limit_error", "You have reached your specified API usage limits."), "dead-key"],
    [500, error("api_error"), "overloaded"],
    [504, error("timeout_error"), "overloaded"],
    [529, error("overloaded_error"), "overloaded"],
    [529, undefined, "overloaded"],
    [200, error("overloaded_error"), "overloaded"],
    [200, error("rate_limit_error"), "rate-limited"],
    [200, error("invalid_request_error"), "caller"],
    [200, error("news_error"), "unknown"],
    [403, "<html>blocked</html>", "unknown"],
    [502, "<html>bad gateway</html>", "overloaded"],
    [404, "not here", "model-missing"],
  ])("reads %i %j as %s", (status, body, kind) => {
    expect(anthropicMessages.readError(status, {}, body)).toMatchObject({ kind, status });
  });

  it("gives words, code and waiting time", () => {
    expect(
      anthropicMessages.readError(
        429,
        { "retry-after": "12" },
        error("rate_limit_error", "see https://x.test"),
      ),
    ).toEqual({
      kind: "rate-limited",
      status: 429,
      message: "see [address]",
      code: "rate_limit_error",
      retryAfterSeconds: 12,
    });
    const long = error("invalid_request_error", "prompt is too long: 2 tokens > 1 maximum");
    expect(anthropicMessages.readError(400, {}, long).code).toBe("context_length_exceeded");
  });
});

describe("encodeError of anthropic-messages", () => {
  it.each([
    [400, "invalid_request_error"],
    [401, "authentication_error"],
    [403, "permission_error"],
    [404, "not_found_error"],
    [413, "request_too_large"],
    [429, "rate_limit_error"],
    [500, "api_error"],
    [503, "api_error"],
    [529, "overloaded_error"],
  ])("gives %i the type %s", (status, type) => {
    expect(anthropicMessages.encodeError({ status, code: "x", message: "words" }, "req-1")).toEqual({
      type: "error",
      error: { type, message: "words", details: { error_code: "x" } },
      request_id: "req-1",
    });
  });

  it("names the field once", () => {
    const encode = (message: string) =>
      anthropicMessages.encodeError({ status: 400, code: "x", message, param: "max_tokens" }, "r");
    expect(encode("max_tokens is required")).toMatchObject({ error: { message: "max_tokens is required" } });
    expect(encode("a limit is required")).toMatchObject({
      error: { message: "max_tokens: a limit is required" },
    });
  });

  it("ends a stream with an event of its own", () => {
    const text = anthropicMessages.encodeStreamError({ status: 529, code: "x", message: "m" }, "r");
    expect(text).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"m","details":{"error_code":"x"}},"request_id":"r"}\n\n',
    );
  });
});
