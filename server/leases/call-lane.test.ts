import { describe, expect, it } from "vitest";
import { CallLane } from "./call-lane";

describe("calls that are under way", () => {
  it("are bounded, and one that was answered makes room", () => {
    const lane = new CallLane(2);
    const first = lane.enter(0);
    expect(lane.enter(1)).toBeDefined();
    expect(lane.enter(2)).toBeUndefined();
    if (first) lane.leave(first);
    expect(lane.enter(3)).toBeDefined();
    expect(lane.enter(4)).toBeUndefined();
  });

  it("count no longer when they hang, and make no room twice", () => {
    const lane = new CallLane(1);
    const hanging = lane.enter(0);
    expect(lane.enter(14_999)).toBeUndefined();
    expect(lane.enter(15_000)).toBeDefined();
    // Its answer comes after all.
    if (hanging) lane.leave(hanging);
    expect(lane.enter(15_001)).toBeUndefined();
  });
});
