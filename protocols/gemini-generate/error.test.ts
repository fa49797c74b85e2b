import { startCpuClock } from "@tollgate/testkit/cpu-clock";
import { describe, expect, it } from "vitest";
import { geminiGenerate } from "./gemini-generate";

const error = (code: number, status: string, message = "m", details: object[] = []) => ({
  error: { code, message, status, details },
});
const reason = (text: string) => [
  { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: text, domain: "googleapis.com" },
];

describe("readError of gemini-generate", () => {
  it.each<[number, unknown, string]>([
    [400, error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."), "dead-key"],
    [400, error(400, "INVALID_ARGUMENT", "Nope.", reason("API_KEY_INVALID")), "dead-key"],
    [401, error(401, "UNAUTHENTICATED"), "dead-key"],
    [403, error(403, "PERMISSION_DENIED", "Consumer has been suspended."), "dead-key"],
    [403, error(403, "PERMISSION_DENIED", "Denied.", reason("SERVICE_DISABLED")), "dead-key"],
    [403, error(403, "PERMISSION_DENIED", "Your API key was reported as leaked."), "dead-key"],
    [
      403,
      error(403, "PERMISSION_DENIED", "You do not have permission to access tuned model"),
      "model-missing",
    ],
    [400, error(400, "FAILED_PRECONDITION", "User location is not supported for the API use."), "unknown"],
    [400, error(400, "FAILED_PRECONDITION", "Please enable billing on your project"), "dead-key"],
    [404, error(404, "NOT_FOUND", "models/gemini-9 is not found for API version v1beta"), "model-missing"],
    [
      429,
      error(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, limit: 15, model: x"),
      "rate-limited",
    ],
    [429, error(429, "RESOURCE_EXHAUSTED", "Quota exceeded, limit: 0, model: x"), "model-missing"],
    [400, error(400, "INVALID_ARGUMENT", "The input token count (9) exceeds the maximum"), "caller"],
    [400, error(400, "INVALID_ARGUMENT", "Invalid JSON payload received."), "caller"],
    [500, error(500, "INTERNAL"), "overloaded"],
    [503, error(503, "UNAVAILABLE", "The model is overloaded."), "overloaded"],
    [504, error(504, "DEADLINE_EXCEEDED"), "overloaded"],
    [200, error(503, "UNAVAILABLE"), "overloaded"],
    [503, [error(503, "UNAVAILABLE")], "overloaded"],
    [403, "<html>blocked</html>", "unknown"],
    [502, "<html>bad gateway</html>", "overloaded"],
  ])("reads %i %j as %s", (status, body, kind) => {
    expect(geminiGenerate.readError(status, {}, body)).toMatchObject({ kind, status });
  });

  it("reads a message that repeats itself in no time", () => {
    const message = "token count ".repeat(20_000);
    const workedMs = startCpuClock();
    expect(geminiGenerate.readError(200, {}, error(400, "INVALID_ARGUMENT", message)).code).toBe(
      "INVALID_ARGUMENT",
    );
    expect(workedMs()).toBeLessThan(1000);
  });

  it("gives words, code and waiting time", () => {
    const wait = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.07s" };
    const body = error(429, "RESOURCE_EXHAUSTED", "see https://x.test for AIzaSyB-1234567890", [wait]);
    expect(geminiGenerate.readError(429, {}, body)).toEqual({
      kind: "rate-limited",
      status: 429,
      message: "see [address] for [key]",
      code: "RESOURCE_EXHAUSTED",
      retryAfterSeconds: 34.07,
    });
    const long = error(400, "INVALID_ARGUMENT", "The input token count (2) exceeds the maximum (1)");
    expect(geminiGenerate.readError(400, {}, long).code).toBe("context_length_exceeded");
  });
});

describe("encodeError of gemini-generate", () => {
  it.each([
    [400, "INVALID_ARGUMENT"],
    [401, "UNAUTHENTICATED"],
    [403, "PERMISSION_DENIED"],
    [404, "NOT_FOUND"],
    [429, "RESOURCE_EXHAUSTED"],
    [500, "INTERNAL"],
    [503, "UNAVAILABLE"],
    [504, "DEADLINE_EXCEEDED"],
  ])("says %i as %s", (status, expected) => {
    expect(geminiGenerate.encodeError({ status, code: "x", message: "m" }, "")).toMatchObject({
      error: { code: status, message: "m", status: expected },
    });
  });

  it("names the reason, the field and the request in its details", () => {
    expect(
      geminiGenerate.encodeError(
        { status: 400, code: "invalid_request", message: "m", param: "contents" },
        "req-1",
      ),
    ).toMatchObject({
      error: {
        details: [
          { reason: "INVALID_REQUEST" },
          { fieldViolations: [{ field: "contents", description: "m" }] },
          { requestId: "req-1" },
        ],
      },
    });
  });

  it("says when to try again as Google does", () => {
    const error = { status: 429, code: "x", message: "m", retryAfterSeconds: 12 };
    expect(geminiGenerate.encodeError(error, "")).toMatchObject({
      error: {
        details: [
          { reason: "X" },
          { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "12s" },
        ],
      },
    });
  });

  it("is an event of its own in a stream", () => {
    const text = geminiGenerate.encodeStreamError({ status: 502, code: "x", message: "m" }, "req-1");
    expect(text.endsWith("\r\n\r\n")).toBe(true);
    expect(JSON.parse(text.slice("data: ".length))).toMatchObject({ error: { status: "UNAVAILABLE" } });
  });
});
