import { describe, expect, it } from "vitest";
import { parseGroupLimits, readLimits } from "./limits";

describe("limits", () => {
  it("that are not set, or 0, are none", () => {
    expect(readLimits({})).toBeUndefined();
    expect(readLimits({ rpm: 0, dailyQuota: 0 })).toBeUndefined();
    expect(readLimits({ rpm: 5, tpm: 0 })).toEqual({ rpm: 5 });
  });
});

describe("parseGroupLimits", () => {
  it("tells a group's limits from those of each of its users", () => {
    expect(
      parseGroupLimits('{"vip":{"rpm":600,"per_user":{"rpm":60,"daily_quota":1000}},"free":{}}'),
    ).toEqual(
      new Map([
        ["vip", { group: { rpm: 600 }, perUser: { rpm: 60, dailyQuota: 1000 } }],
        ["free", { group: undefined, perUser: undefined }],
      ]),
    );
  });

  it.each([
    ["", "JSON"],
    ["[]", "JSON"],
    ['{"vip":5}', "vip"],
    ['{"vip":{"rpm":-1}}', "vip.rpm"],
    ['{"vip":{"rpm":1.5}}', "vip.rpm"],
    ['{"vip":{"rps":1}}', "vip.rps"],
    ['{"vip":{"per_user":{"perUser":1}}}', "vip.per_user.perUser"],
  ])("refuses %s and names the place", (text, fault) => {
    expect(parseGroupLimits(text)).toEqual({ fault });
  });
});
