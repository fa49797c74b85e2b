import { RecordingReceiver } from "@tollgate/testkit/recording-receiver";
import { afterAll, describe, expect, it } from "vitest";
import { createProxyTransport } from "./proxy-transport";

const transport = createProxyTransport({
  connectTimeoutMs: 1000,
  firstByteTimeoutMs: 1000,
  idleTimeoutMs: 1000,
});
afterAll(() => transport.close());

const REQUEST = { origin: "http://127.0.0.1:9", path: "/", headers: {}, body: "" };

describe("S17: a channel's proxy", () => {
  it.each([
    "http://169.254.169.254",
    "http://user:pass@169.254.169.254:8080",
    "http://0xa9fea9fe",
    "https://[::ffff:169.254.169.254]:3128",
    "http://[fd00:ec2::254]",
    "http://100.100.100.200:80/",
  ])("is never called at a forbidden address: %s", async (proxy) => {
    const receiver = new RecordingReceiver();
    transport.send(proxy, REQUEST, receiver);
    expect(await receiver.end).toEqual({
      kind: "blocked",
      detail: { code: "proxy-blocked" },
    });
  });

  it("may stand on a private network", async () => {
    const receiver = new RecordingReceiver();
    transport.send("http://127.0.0.1:9", REQUEST, receiver);
    expect(await receiver.end).not.toMatchObject({ kind: "blocked" });
  });
});
