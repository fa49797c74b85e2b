import { describe, expect, it } from "vitest";
import { sumTraffic, trafficStart } from "./channel-traffic";

const HOUR = 3600;
const NOW = 1_767_225_600 + 90;

describe("the traffic of channels", () => {
  it("begins with the hour 23 hours before the one that has not ended", () => {
    expect(trafficStart(NOW)).toBe(NOW - 90 - 23 * HOUR);
  });

  it("is the sum of hours and their course, without channels that were asked nothing", () => {
    const start = trafficStart(NOW);
    const line = { requests: 0, errors: 0, quota: 0 };
    const told = sumTraffic(
      [
        { ...line, channelId: 3, hour: start, requests: 2, quota: 10 },
        { ...line, channelId: 3, hour: start + 23 * HOUR, requests: 1, errors: 4, quota: 5 },
        { ...line, channelId: 3, hour: start + 24 * HOUR, requests: 1 },
        { ...line, channelId: 4, hour: start },
      ],
      start,
    );
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ id: 3, requests: 4, errors: 4, quota: 15 });
    expect(told[0]?.course).toHaveLength(24);
    expect([told[0]?.course[0], told[0]?.course[1], told[0]?.course[23]]).toEqual([2, 0, 5]);
  });
});
