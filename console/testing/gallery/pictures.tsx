import { Change } from "../../components/change";
import type { ChartData } from "../../components/chart/chart-data";
import { Sparkline } from "../../components/chart/sparkline";
import { ChartSkeleton, TimeChart } from "../../components/chart/time-chart";
import QrCode from "../../components/qr-code";
import { RecordUsage } from "../../components/record-usage";
import { measureOf } from "../../lib/usage/usage-metric";
import type { Specimen } from "./specimen";

const DAYS = ["22", "23", "24", "25", "26", "27", "28"];
const VALUES = [90, 200, 190, 0, 195, 180, 75];

const chartOf = (kind: ChartData["kind"]): ChartData => ({
  kind,
  measure: measureOf("requests"),
  spans: DAYS.map((day, index) => ({
    name: `2026-11-${day}`,
    short: `11-${day}`,
    count: index,
    isOpen: index === DAYS.length - 1,
  })),
  series: (["--chart-1", "--chart-2", "--chart-3"] as const).map((color, index) => ({
    key: color,
    label: `model-${index + 1}`,
    color,
    values: VALUES.map((value) => value / (index + 1)),
  })),
});

export const PICTURES: readonly Specimen[] = [
  { name: "chart/time-chart", Shown: () => <TimeChart label="请求" chart={chartOf("bars")} /> },
  { name: "chart/time-chart of lines", Shown: () => <TimeChart label="请求" chart={chartOf("lines")} /> },
  { name: "chart/time-chart while it loads", Shown: () => <ChartSkeleton heightPx={260} /> },
  {
    name: "qr-code",
    Shown: () => (
      <div className="w-40">
        <QrCode content="https://example.com/" label="二维码" />
      </div>
    ),
  },
  { name: "chart/sparkline", Shown: () => <Sparkline values={VALUES} isOpen className="h-6 w-40" /> },
  {
    name: "change",
    Shown: () => (
      <div className="flex gap-4">
        <Change now={150} before={100} meaning="good" sample={500} />
        <Change now={150} before={100} meaning="bad" sample={500} />
        <Change now={150} before={100} meaning="neither" sample={500} />
        <Change now={98} before={100} meaning="bad" sample={500} />
      </div>
    ),
  },
  { name: "record-usage without usage", Shown: () => <RecordUsage filter={{}} by={["model", "user"]} /> },
];
