import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import { ONE } from "@tollgate/contract/values/decimal";
import { findPrice } from "@tollgate/metering/price";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { describe, expect, it } from "vitest";
import { type RemakePorts, remakeCall } from "./remake-call";
import { entryOf } from "./testing/entry-of";

const PORTS: RemakePorts = {
  now: () => 1_700_000_000_000,
  random: () => 0.5,
  tokenCounter: { count: async () => 1 } as unknown as RemakePorts["tokenCounter"],
  find: (model, group) =>
    findPrice(
      {
        modelRatios: new Map([[model, ONE]]),
        completionRatios: new Map([[model, ONE]]),
        groupRatios: new Map(),
      },
      model,
      group,
      0,
    ),
};

const remake = async (
  body: Record<string, unknown>,
  entry = entryOf({ type: 14 }),
  client: ClientProtocolName = "openai-chat",
) => {
  const made = await remakeCall(PORTS, entry, {
    client: CLIENT_PROTOCOLS[client],
    address: undefined,
    rawBody: Buffer.from(JSON.stringify(body)),
    body,
    model: String(body.model),
    effort: undefined,
  });
  return made === undefined ? undefined : (JSON.parse(made) as Record<string, unknown>);
};

const HELLO = { model: "claude-sonnet-4-5", messages: [{ role: "user", content: "hello" }] };

describe("a call that is made again", () => {
  it("is the upstream's body, translated", async () => {
    expect(await remake({ ...HELLO, max_tokens: 7, seed: 3 })).toMatchObject({
      model: "claude-sonnet-4-5",
      max_tokens: 7,
      messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
    });
  });

  it("has the channel's mapping and overrides", async () => {
    const requestChanges = { systemPrompt: { text: "Be brief", mode: "fill" } } as const;
    const entry = entryOf({ type: 1, modelMapping: { m: "upstream-m" } }, { key: "k", requestChanges });
    const made = await remake({ ...HELLO, model: "m" }, entry);
    expect(made?.messages).toEqual([{ role: "system", content: "Be brief" }, ...HELLO.messages]);
    expect(made?.model).toBe("upstream-m");
  });

  it("is none for a request that would be refused", async () => {
    expect(await remake({ model: "claude-sonnet-4-5", messages: [] })).toBeUndefined();
    expect(await remake({ ...HELLO, tools: "none" })).toBeUndefined();
  });

  it("holds no credential of the channel, and fetches no picture", async () => {
    const image_url = { url: "https://example.com/private.png" };
    const made = await remake({
      ...HELLO,
      messages: [{ role: "user", content: [{ type: "image_url", image_url }] }],
    });
    expect(JSON.stringify(made)).not.toContain("upstream-key");
  });
});
