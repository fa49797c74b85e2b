import { expect, it } from "vitest";
import { feedLagMs } from "./feed-lag";

it.each([
  { what: "undefined before the first change", lagMs: undefined, behindMs: 900, lag: undefined },
  { what: "that of the newest change, in whole milliseconds", lagMs: 12.4, behindMs: 900, lag: 12 },
  { what: "never below 0", lagMs: -3, behindMs: 900, lag: 0 },
  { what: "the time in which nothing was heard of", lagMs: 12, behindMs: 8000.4, lag: 8000 },
  { what: "the same before the first change", lagMs: undefined, behindMs: 8000, lag: 8000 },
])("the lag is $what", ({ lagMs, behindMs, lag }) => {
  expect(feedLagMs({ isConnected: true, number: 1, lagMs, behindMs })).toBe(lag);
});
