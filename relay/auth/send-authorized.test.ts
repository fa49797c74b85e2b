import { describe, expect, it } from "vitest";
import type { UpstreamTarget } from "../ports/directory";
import type { Authorization, UpstreamReceiver, UpstreamRequest } from "../ports/transport";
import { sendAuthorized } from "./send-authorized";

const REQUEST: UpstreamRequest = { origin: "https://x.test", path: "/", headers: {}, body: "{}" };

const setUp = (isSigned: boolean) => {
  const sent: UpstreamRequest[] = [];
  const told: string[] = [];
  let abort: (() => void) | undefined;
  let finish: ((authorization: Authorization) => void) | undefined;
  const receiver: UpstreamReceiver = {
    onStart: (give) => {
      abort = give;
    },
    onHeaders: (status) => told.push(`head ${status}`),
    onData: (chunk) => {
      told.push(chunk.toString());
      return true;
    },
    onEnd: () => told.push("end"),
    onFailure: ({ kind }) => told.push(kind),
  };
  const authorizer = isSigned
    ? {
        authorize: (_request: UpstreamRequest, _tools: unknown, done: (result: Authorization) => void) => {
          finish = done;
        },
      }
    : undefined;
  const tools = {
    transport: { send: (request: UpstreamRequest) => sent.push(request), close: async () => {} },
    now: () => 0,
    random: () => 0,
  };
  sendAuthorized({ authorizer } as unknown as UpstreamTarget, REQUEST, tools, receiver);
  return { sent, told, abort: () => abort?.(), finish: (result: Authorization) => finish?.(result) };
};

describe("sendAuthorized", () => {
  it("sends a request immediately when it needs no signature", () => {
    expect(setUp(false).sent).toEqual([REQUEST]);
  });

  it("sends the signed request", () => {
    const { sent, finish } = setUp(true);
    expect(sent).toEqual([]);
    finish({ request: { ...REQUEST, path: "/signed" } });
    expect(sent.map(({ path }) => path)).toEqual(["/signed"]);
  });

  it("sends nothing for who gave up in the meantime", () => {
    const { sent, told, abort, finish } = setUp(true);
    abort();
    finish({ request: REQUEST });
    expect([...sent, ...told]).toEqual([]);
  });

  it("hands refusals and failures on", () => {
    const refused = setUp(true);
    refused.finish({ refusal: { status: 401, body: Buffer.from("no") } });
    expect(refused.told).toEqual(["head 401", "no", "end"]);
    const failed = setUp(true);
    failed.finish({ failure: { kind: "connect", detail: "" } });
    expect(failed.told).toEqual(["connect"]);
  });
});
