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

  it("ask the same twice at most, and leave the room to others", () => {
    const lane = new CallLane(10);
    const [one, other] = [{ account: "user:1" }, { account: "user:2" }];
    const first = lane.enter(0, one);
    expect(lane.enter(1000, one)).toBeDefined();
    expect(lane.enter(2000, one)).toBeUndefined();
    expect(lane.enter(2000, other)).toBeDefined();
    if (first) lane.leave(first);
    expect(lane.enter(3000, one)).toBeDefined();
    expect(lane.enter(15_999, one)).toBeUndefined();
    // One hangs by now.
    expect(lane.enter(16_000, one)).toBeDefined();
    expect(lane.enter(16_001, one)).toBeUndefined();
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
