import { describe, expect, it } from "vitest";
import { requestHead, UnsendableRequest } from "./request-head";

const REQUEST = { origin: "https://x.test", path: "/v1/chat?a=b", headers: {}, body: "" };

describe("requestHead", () => {
  it("writes a head", () => {
    const headers = { "content-type": "application/json", Authorization: "Bearer sk-1", "x-empty": "" };
    expect(requestHead("x.test:8443", { ...REQUEST, headers }, 12)).toBe(
      [
        "POST /v1/chat?a=b HTTP/1.1",
        "host: x.test:8443",
        "connection: keep-alive",
        "accept-encoding: identity",
        "content-type: application/json",
        "Authorization: Bearer sk-1",
        "x-empty: ",
        "content-length: 12",
        "",
        "",
      ].join("\r\n"),
    );
  });

  it("lets a header name the host, once", () => {
    const head = requestHead("x.test", { ...REQUEST, headers: { Host: "signed.test" } }, 0);
    expect(head.match(/host:.*/gi)).toEqual(["Host: signed.test"]);
  });

  it.each(["a\r\nx: y", "a\nb", "a\rb", "a\0b", "a\x7fb", "Bearer 密钥"])("refuses the value %j", (value) => {
    const request = { ...REQUEST, headers: { authorization: value } };
    expect(() => requestHead("x.test", request, 0)).toThrow(UnsendableRequest);
    expect(() => requestHead("x.test", request, 0)).not.toThrow(value);
  });

  it.each([
    "",
    "a b",
    "a:b",
    "a\r\nx",
    "ключ",
    "Content-Length",
    "transfer-encoding",
    "Connection",
    "keep-alive",
    "upgrade",
    "expect",
    "te",
    "trailer",
  ])("refuses the name %j, each time", (name) => {
    const request = { ...REQUEST, headers: { [name]: "x" } };
    for (let time = 0; time < 2; time += 1) {
      expect(() => requestHead("x.test", request, 0)).toThrow(UnsendableRequest);
    }
  });

  it.each(["", "v1", "/a b", "/a\r\nx: y", "/a\0", "/模型"])("refuses the path %j", (path) => {
    expect(() => requestHead("x.test", { ...REQUEST, path }, 0)).toThrow(UnsendableRequest);
  });
});
