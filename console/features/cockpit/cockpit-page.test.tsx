// @vitest-environment happy-dom

import { expect, it } from "vitest";
import { screen, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const latency = (p95: number, requests: number) => [
  { time: 0, key: "", name: "", first_byte: { requests, p50_ms: 100, p95_ms: p95 } },
];

/** Whether a call is about the week before. */
const isBefore = (call: string): boolean => {
  const from = Number(/start_timestamp=(\d+)/.exec(call)?.[1]);
  return from < Date.now() / 1000 - 6 * 86_400;
};

const open = (requestsBefore: number) =>
  openConsole("/cockpit", {
    "GET /api/usage/latency": (_: unknown, call: string) =>
      isBefore(call) ? latency(1000, requestsBefore) : latency(1500, 200),
  });

const tile = async () => {
  const today = within(await screen.findByRole("region", { name: "今天" }));
  return (await today.findByText("首字节 p95")).parentElement as HTMLElement;
};

it("compares the first byte's p95 of today with that of the same weekday before", async () => {
  await open(200);
  const shown = within(await tile());
  const value = await shown.findByRole("link", { name: "1.50 s" });
  expect(value.getAttribute("href")).toBe("/dashboard?range=today&metric=firstByte");
  expect(shown.getByText("上周同期 1.00 s")).toBeTruthy();
  expect(shown.getByText("50.0%").className).toContain("text-red");
});

it("takes the p95 of few requests for noise", async () => {
  await open(5);
  expect((await within(await tile()).findByText("50.0%")).className).not.toMatch(/text-(red|green)/);
});
