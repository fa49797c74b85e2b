import { expect, it } from "vitest";
import { measureOf } from "../../lib/usage/usage-metric";
import type { ChartData } from "./chart-data";
import { plotOptions, plottedData } from "./plot-options";

const chartOf = (
  kind: ChartData["kind"],
  isOpen: boolean,
  ...lines: (number | undefined)[][]
): ChartData => ({
  kind,
  measure: measureOf("requests"),
  spans: [1, 2, 3].map((count) => ({
    name: `${count}`,
    short: `${count}`,
    count,
    isOpen: isOpen && count === 3,
  })),
  series: lines.map((values, index) => ({ key: `${index}`, label: "", color: "--chart-1", values })),
});

it("draws the way into a span that has not ended as a piece of its own", () => {
  expect(plottedData(chartOf("lines", true, [5, 6, 7], [1, undefined, 3]))).toEqual([
    [0, 1, 2],
    [5, 6, null],
    [1, null, null],
    [null, 6, 7],
    [1, null, 3],
  ]);
});

it("draws lines that have ended, and bars, without pieces", () => {
  expect(plottedData(chartOf("lines", false, [5, 6, 7]))).toEqual([
    [0, 1, 2],
    [5, 6, 7],
  ]);
  expect(plottedData(chartOf("bars", true, [5, 6, 7], [1, 0, 3]))).toEqual([
    [0, 1, 2],
    [6, 6, 10],
    [5, 6, 7],
  ]);
});

it("joins the crosshairs of charts with the same name, by time and not by value", () => {
  const chart = chartOf("lines", false, [5, 6, 7]);
  const syncOf = (crosshair?: string) =>
    plotOptions(chart, { width: 100, height: 50 }, String, () => undefined, crosshair).cursor?.sync;
  expect(syncOf("page")).toEqual({ key: "page", scales: ["x", null] });
  expect(syncOf()).toBeUndefined();
});
