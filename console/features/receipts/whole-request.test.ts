import { describe, expect, it } from "vitest";
import { wholeRequestOf } from "./whole-request";

describe("a stored request", () => {
  it("is whole if all of it is JSON and its address is known", () => {
    const request = { content_type: "application/json", size_bytes: 2, text: "{}", is_cut: false };
    const body = {
      request_id: "r",
      created_at: 1,
      path: "/v1/responses",
      request,
      answer: { ...request, status: 200 },
    };
    expect(wholeRequestOf(body)).toEqual({ path: "/v1/responses", text: "{}" });
    expect(wholeRequestOf({ ...body, path: undefined })).toBeUndefined();
  });

  it.each([
    ["cut", { is_cut: true }],
    ["no text", { text: undefined }],
    ["no JSON", { content_type: "multipart/form-data" }],
  ])("is none for a request that is %s", (_, more) => {
    const request = { content_type: "application/json", size_bytes: 2, text: "{}", is_cut: false, ...more };
    const answer = { ...request, status: 200 };
    expect(
      wholeRequestOf({ request_id: "r", created_at: 1, path: "/v1/responses", request, answer } as never),
    ).toBeUndefined();
  });
});
