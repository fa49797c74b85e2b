import type { UpstreamFault, UpstreamFaultCode } from "@tollgate/contract/relay/upstream-fault";
import type { ProbeReason } from "@tollgate/relay/probe";
import { describe, expect, it } from "vitest";
import { formatFailure, formatProbeReason, formatUpstreamFault } from "./format-upstream-fault";
import { LANGUAGES, type Language } from "./languages";

/** Every fault with its English text. */
const SAID: {
  [Code in UpstreamFaultCode]: readonly [fault: Extract<UpstreamFault, { code: Code }>, english: string];
} = {
  "connect-timeout": [{ code: "connect-timeout" }, "no connection in time"],
  "answer-timeout": [{ code: "answer-timeout" }, "no answer in time"],
  "idle-timeout": [{ code: "idle-timeout" }, "silence in the middle of the answer"],
  "only-keep-alives": [{ code: "only-keep-alives" }, "nothing but signs of life for too long"],
  "headers-late": [
    { code: "headers-late", seconds: 10 },
    "no response headers within 10 s (time limit of the channel or group)",
  ],
  "answer-late": [
    { code: "answer-late", seconds: 90 },
    "no complete answer within 90 s (time limit of the channel or group)",
  ],
  "first-token-late": [
    { code: "first-token-late", seconds: 20 },
    "no content within 20 s (time limit of the channel or group)",
  ],
  "token-late": [
    { code: "token-late", seconds: 15 },
    "no further content for 15 s (time limit of the channel or group)",
  ],
  "handshake-timeout": [{ code: "handshake-timeout" }, "the WebSocket's handshake took too long"],
  "message-timeout": [{ code: "message-timeout", ms: 5000 }, "no message within 5000 ms"],
  "connection-closed": [{ code: "connection-closed" }, "the upstream closed the connection"],
  "unsolicited-bytes": [{ code: "unsolicited-bytes" }, "the upstream sent bytes without a request"],
  stopping: [{ code: "stopping" }, "the process is stopping"],
  "origin-blocked": [
    { code: "origin-blocked", origin: "http://169.254.169.254" },
    "http://169.254.169.254 is a blocked address",
  ],
  "name-blocked": [{ code: "name-blocked", host: "a.test" }, "a.test resolves to a blocked address"],
  "proxy-blocked": [{ code: "proxy-blocked" }, "the channel's proxy is a blocked address"],
  "socket-through-proxy": [{ code: "socket-through-proxy" }, "WebSockets cannot go through a proxy yet"],
  "socks-sign-in-refused": [
    { code: "socks-sign-in-refused" },
    "the SOCKS5 proxy refuses the name and password, or requires some",
  ],
  "socks-refused": [{ code: "socks-refused", reply: 5 }, "the SOCKS5 proxy refuses the connection (reply 5)"],
  "socks-malformed": [{ code: "socks-malformed" }, "the proxy does not speak SOCKS5, or broke off"],
  "path-unsendable": [{ code: "path-unsendable" }, "the path holds a character that no path may have"],
  "header-unsendable": [
    { code: "header-unsendable", name: "x-key" },
    "the header x-key holds a character that no header may have",
  ],
  "header-not-allowed": [
    { code: "header-not-allowed", name: "x-key" },
    '"x-key" is no header that a request may have',
  ],
  "answer-malformed": [
    { code: "answer-malformed", flaw: "chunk-size-missing" },
    "the answer cannot be read as HTTP/1.1 (chunk-size-missing)",
  ],
  "answer-packed": [
    { code: "answer-packed", encoding: "zstd" },
    "the answer is packed in a way that is not known: zstd",
  ],
  "answer-unpackable": [
    { code: "answer-unpackable", reason: "incorrect header check" },
    "the packed answer cannot be read: incorrect header check",
  ],
  "answer-too-large": [{ code: "answer-too-large" }, "the upstream sent an answer that is too large"],
  "picture-unfetched": [
    { code: "picture-unfetched", host: "h.example" },
    "the picture at h.example could not be fetched: its address cannot be reached or is not public, or it is too late, too large or no picture",
  ],
  "picture-without-memory": [
    { code: "picture-without-memory" },
    "there is no memory for the pictures of the answer at the moment",
  ],
  "web-page": [{ code: "web-page" }, "the upstream answered with a web page"],
  "event-too-large": [
    { code: "event-too-large", maxBytes: 8_388_608 },
    "the upstream sent an event of more than 8388608 bytes",
  ],
  "event-unreadable": [
    { code: "event-unreadable" },
    "the upstream sent an event that is too large to be read",
  ],
  "event-damaged": [{ code: "event-damaged" }, "the upstream sent an event that was damaged on its way"],
  "too-many-calls": [{ code: "too-many-calls" }, "the upstream sent too many tool calls"],
  "stream-no-json": [{ code: "stream-no-json" }, "the upstream's stream holds something that is no JSON"],
  "stream-incomplete": [
    { code: "stream-incomplete" },
    "the upstream ended the stream before the answer was complete",
  ],
  "stream-without-answer": [
    { code: "stream-without-answer" },
    "the upstream ended the stream without an answer",
  ],
  "stream-unreadable": [{ code: "stream-unreadable" }, "the upstream's stream could not be read"],
};

const faults = Object.values(SAID) as (readonly [UpstreamFault, string])[];
const languages = Object.keys(LANGUAGES) as Language[];

describe("a fault of an upstream", () => {
  it.each(faults)("is, of %j, %s", (fault, english) => {
    expect(formatUpstreamFault(LANGUAGES.en, fault)).toBe(english);
  });

  it.each(languages)("is said in %s, each in its own words, with all that it names", (language) => {
    const said = faults.map(([fault]) => formatUpstreamFault(LANGUAGES[language], fault));
    expect(new Set(said).size).toBe(said.length);
    for (const sentence of said) expect(sentence).not.toMatch(/[{}]|undefined/);
  });

  it("is reported with the answer's status, if any; the upstream's text is passed on unchanged", () => {
    expect(formatFailure(LANGUAGES.en, { code: "web-page", status: 502 })).toBe(
      "502 the upstream answered with a web page",
    );
    expect(formatFailure(LANGUAGES.en, { code: "stopping" })).toBe("the process is stopping");
    expect(formatFailure(LANGUAGES["zh-CN"], "401 invalid_api_key no")).toBe("401 invalid_api_key no");
  });
});

it.each<[ProbeReason, english: string, chinese: string]>([
  ["HTTP 401 no", "HTTP 401 no", "HTTP 401 no"],
  [{ transport: "connect" }, "connection refused or address not found", "连接被拒绝或找不到地址"],
  [
    { answer: { code: "web-page" }, status: 200 },
    "HTTP 200 the upstream answered with a web page",
    "HTTP 200 上游返回了网页",
  ],
  [
    { request: { code: "tools-unsupported" } },
    "the upstream of this model cannot call tools",
    "此模型的上游不能调用工具",
  ],
])("a channel's test that fails for %j says so in the reader's language", (reason, english, chinese) => {
  expect(formatProbeReason(LANGUAGES.en, reason)).toBe(english);
  expect(formatProbeReason(LANGUAGES["zh-CN"], reason)).toBe(chinese);
});
