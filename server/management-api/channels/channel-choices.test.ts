import { expect, it } from "vitest";
import { channelChoices } from "./channel-choices";

const speed = (model: string, isStream: boolean, firstByteMs: number) => ({ model, isStream, firstByteMs });

it("averages the measurements of a channel's keys by model, and omits models without measurements", () => {
  const channel = { id: 3, models: ["a", "b", "mapped", "new"], modelMapping: { mapped: "up" } };
  const speeds = [
    speed("a", true, 100),
    speed("a", true, 201),
    speed("a", false, 900),
    speed("gone", true, 5),
  ];
  const usualCost = (id: number, model: string) => (id === 3 && model === "up" ? 7 : undefined);
  expect(channelChoices(channel, speeds, { usualCost })).toEqual([
    { model: "a", stream_ms: 151, whole_ms: 900 },
    { model: "mapped", usual_cost: 7 },
  ]);
});
