import type { UsagePoint } from "@tollgate/contract/api/usage";
import { expect, it } from "vitest";
import { groupUsage, joinGroups, splitUsage } from "./usage-sum";

const point = (time: number, key: string, requests: number): UsagePoint => ({
  time,
  key,
  name: key,
  requests,
  errors: 1,
  promptTokens: 10 * requests,
  completionTokens: 2 * requests,
  quota: 5 * requests,
  durationMs: 100 * requests,
  firstByteMs: 30,
  streams: 1,
});

it("puts each point into its group and span, and zeros where the server left a span out", () => {
  const groups = groupUsage([point(100, "a", 1), point(300, "a", 2), point(300, "b", 4)], [100, 200, 300]);
  expect(groups.map(({ key }) => key)).toEqual(["a", "b"]);
  expect(groups[0]?.spans.map(({ requests }) => requests)).toEqual([1, 0, 2]);
  expect(groups[0]?.total).toMatchObject({ requests: 3, errors: 2, promptTokens: 30, quota: 15, streams: 2 });
  expect(groups[1]?.spans.map(({ requests }) => requests)).toEqual([0, 0, 4]);
});

it("loses no point of a server whose spans begin elsewhere", () => {
  const [group] = groupUsage([point(90, "a", 1), point(250, "a", 2), point(999, "a", 4)], [100, 200, 300]);
  expect(group?.spans.map(({ requests }) => requests)).toEqual([1, 2, 4]);
});

it("joins groups span by span", () => {
  const times = [100, 300];
  const all = joinGroups(
    groupUsage([point(100, "a", 1), point(300, "b", 4), point(300, "a", 2)], times),
    times,
  );
  expect(all.total.requests).toBe(7);
  expect(all.spans.map(({ quota }) => quota)).toEqual([5, 30]);
});

it("keeps the groups of an answer apart from its sum of the other groups", () => {
  const rest = (time: number, requests: number) => ({ ...point(time, "", requests), others: 7 });
  const points = [point(100, "a", 1), rest(100, 5), point(200, "a", 2), rest(200, 6)];
  const { groups, others } = splitUsage(points, [100, 200]);
  expect(groups.map(({ key, total }) => [key, total.requests])).toEqual([["a", 3]]);
  expect(others?.count).toBe(7);
  expect(others?.group.spans.map(({ requests }) => requests)).toEqual([5, 6]);
  expect(splitUsage([point(100, "", 1)], [100]).others).toBeUndefined();
});
