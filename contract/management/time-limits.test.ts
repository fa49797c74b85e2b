import { describe, expect, it } from "vitest";
import { createChannelBodySchema } from "../api/channels";
import { parseGroupTimeLimits } from "./time-limits";

describe("parseGroupTimeLimits", () => {
  it("reads the limits of each group", () => {
    expect(
      parseGroupTimeLimits('{"vip":{"first_token_seconds":20,"thinking_seconds":120},"free":{}}'),
    ).toEqual(
      new Map([
        ["vip", { firstTokenSeconds: 20, thinkingSeconds: 120 }],
        ["free", {}],
      ]),
    );
  });

  it.each([
    ["7", "JSON"],
    ["{", "JSON"],
    ['{"vip":7}', "vip"],
    ['{"vip":{"first_token_seconds":0}}', "vip.first_token_seconds"],
    ['{"vip":{"first_token_seconds":-1}}', "vip.first_token_seconds"],
    ['{"vip":{"headers_seconds":3601}}', "vip.headers_seconds"],
    ['{"vip":{"headers_seconds":1.5}}', "vip.headers_seconds"],
    ['{"vip":{"headers":10}}', "vip.headers"],
  ])("refuses %s and says where", (text, fault) => {
    expect(parseGroupTimeLimits(text)).toEqual({ fault });
  });
});

it.each([-1, 3601, 1e300, 1.5, "10"])("refuses a channel's time limit of %s at its field", (seconds) => {
  const read = createChannelBodySchema.safeParse({ type: 1, key: "k", first_token_seconds: seconds });
  expect(read.error?.issues[0]?.path).toEqual(["first_token_seconds"]);
});

it("takes 0 for no limit in the body of a channel", () => {
  const read = createChannelBodySchema.safeParse({ type: 1, key: "k", first_token_seconds: 0 });
  expect(read.data?.firstTokenSeconds).toBe(0);
});
