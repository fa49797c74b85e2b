import { readOverrides } from "@tollgate/contract/management/channel-overrides";
import { PROBE_REQUEST } from "@tollgate/protocols/protocols";
import { describe, expect, it } from "vitest";
import type { AuthTools } from "./ports/transport";
import { createProber } from "./probe";
import { entryOf } from "./testing/entry-of";

/** Tests a channel whose upstream answers with a status and an error. */
const probe = (statusCodes: Record<string, number>, status: number, error: object) => {
  const tools: AuthTools = {
    transport: {
      send(_request, receiver) {
        receiver.onHeaders(status, { "content-type": "application/json" }, () => {});
        receiver.onData(Buffer.from(JSON.stringify({ error })));
        receiver.onEnd();
      },
      close: async () => {},
    },
    now: () => 0,
    random: () => 0.5,
  };
  const requestChanges = readOverrides({ status_codes: statusCodes });
  const entry = entryOf({}, { key: "upstream-key", ...(requestChanges ? { requestChanges } : {}) });
  return createProber(tools, PROBE_REQUEST).probe(entry);
};

const DEAD = { message: "Incorrect API key provided", code: "invalid_api_key" };

describe("a test of a channel", () => {
  it("calls a key dead where the upstream does, and the channel's mapped statuses do not say otherwise", async () => {
    expect(await probe({}, 401, DEAD)).toMatchObject({ isOk: false, isKeyDead: true });
    expect(await probe({ "401": 503 }, 401, DEAD)).toMatchObject({ isOk: false, isKeyDead: false });
    expect(await probe({ "400": 401 }, 400, { message: "no" })).toMatchObject({ isKeyDead: true });
  });
});
