import { Link, type LinkProps } from "@tanstack/react-router";
import type { LatencyPoint } from "@tollgate/contract/api/usage";
import { useTranslation } from "react-i18next";
import { Change } from "../../components/change";
import { ERROR_COLOR, GROUP_COLORS } from "../../components/chart/chart-colors";
import { Sparkline } from "../../components/chart/sparkline";
import { formatCount } from "../../lib/format";
import { formatShare } from "../../lib/format-measure";
import type { Compared } from "../../lib/usage/change";
import {
  allRequests,
  errorRate,
  isDuration,
  isMean,
  measureOf,
  metricOf,
  USAGE_METRICS,
  type UsageMetric,
} from "../../lib/usage/usage-metric";
import type { UsageSum } from "../../lib/usage/usage-sum";
import "./dashboard.css";
import type { Usage } from "./use-dashboard";

interface MetricTilesProps {
  /** Link to the failed requests. */
  failures: LinkProps;
  usage: Usage | undefined;
  /** Percentiles of the range, if known. */
  latency: LatencyPoint | undefined;
  before: UsageSum | undefined;
  metric: UsageMetric;
  onMetric: (metric: UsageMetric) => void;
}

/** The metrics as big numbers. The chosen one is drawn in the chart below. */
export const MetricTiles = ({ failures, usage, latency, before, metric, onMetric }: MetricTilesProps) => {
  const { t } = useTranslation();
  return (
    <section aria-label={t("dashboard.numbers")} aria-busy={usage === undefined} className="metric-tiles">
      {USAGE_METRICS.map((each) =>
        usage ? (
          <div key={each} className="relative grid min-w-0">
            <Tile
              metric={each}
              latency={latency}
              usage={usage}
              before={before}
              isChosen={each === metric}
              onChoose={() => onMetric(each)}
            />
            {each === "errors" && usage.all.total.errors > 0 && (
              <Link
                {...failures}
                className="touch absolute end-3 top-3 text-xs text-accent underline-offset-2 hover:underline"
              >
                {t("dashboard.toFailures")}
              </Link>
            )}
          </div>
        ) : (
          <div key={each} className="metric-tile gap-3">
            <div className="skeleton h-3.5 w-16" />
            <div className="skeleton h-7 w-24" />
            <div className="skeleton h-6 w-full" />
          </div>
        ),
      )}
    </section>
  );
};

interface TileProps {
  latency: LatencyPoint | undefined;
  metric: UsageMetric;
  usage: Usage;
  before: UsageSum | undefined;
  isChosen: boolean;
  onChoose: () => void;
}

const Tile = ({ latency, metric, usage, before, isChosen, onChoose }: TileProps) => {
  const { t } = useTranslation();
  const { total, spans } = usage.all;
  const value = metricOf(metric, total);
  const was = before && metricOf(metric, before);
  const note = useNote(metric, total, latency);
  return (
    <button type="button" aria-pressed={isChosen} onClick={onChoose} className="metric-tile">
      <span className="metric-name">{t(`usage.metric.${metric}`)}</span>
      <span className="mt-0.5 flex w-full flex-wrap items-baseline gap-x-2">
        <span className="metric-value">{value === undefined ? "–" : measureOf(metric).format(value)}</span>
        <Change
          now={value}
          before={was}
          {...comparedBy(metric, total, before)}
          {...(was !== undefined && {
            title: t("usage.change.before", { value: measureOf(metric).format(was) }),
          })}
        />
      </span>
      <span className="break-keep pb-1 text-xs text-ink-3 tabular-nums">{keepParts(note)}</span>
      <Sparkline
        values={spans.map((sum) => metricOf(metric, sum))}
        color={metric === "errors" ? ERROR_COLOR : GROUP_COLORS[0]}
        isOpen={usage.isLastOpen}
        className="h-6 w-full"
      />
    </button>
  );
};

/** Lets a note break between its parts only, so that a number keeps its unit. */
const keepParts = (note: string): string =>
  note
    .split(" · ")
    .map((part) => part.replaceAll(" ", "\u00a0"))
    .join(" · ");

/** The explanation under a big number. */
const useNote = (metric: UsageMetric, total: UsageSum, latency: LatencyPoint | undefined): string => {
  const { t } = useTranslation();
  const told = metric === "duration" ? latency?.duration : latency?.first_byte;
  if (isDuration(metric) && told) {
    const { format } = measureOf(metric);
    return `p50 ${format(told.p50_ms)} · p95 ${format(told.p95_ms)}`;
  }
  switch (metric) {
    case "requests":
      return t("dashboard.note.requests", { answered: formatCount(total.requests) });
    case "tokens":
      return t("dashboard.note.tokens", {
        prompt: formatCount(total.promptTokens),
        completion: formatCount(total.completionTokens),
      });
    case "quota":
      return t("dashboard.note.quota", {
        mean: total.requests === 0 ? "–" : measureOf("quota").format(total.quota / total.requests),
      });
    case "duration":
      return t("dashboard.note.duration");
    case "firstByte":
      return t("dashboard.note.firstByte", { streams: formatCount(total.streams) });
    case "cacheHits":
      return total.cacheReadTokens === undefined
        ? t("dashboard.note.noCache")
        : t("dashboard.note.cacheHits", {
            read: formatCount(total.cacheReadTokens),
            written: formatCount(total.cacheWriteTokens ?? 0),
          });
    case "errors":
      return t("dashboard.note.errors", { rate: formatShare(errorRate(total) ?? 0) });
  }
};

/** Longer waits and more failures are bad news; other increases are neutral. */
const comparedBy = (
  metric: UsageMetric,
  total: UsageSum,
  before: UsageSum | undefined,
): Pick<Compared, "meaning" | "sample"> => {
  if (metric === "errors") return { meaning: "bad", sample: Math.max(total.errors, before?.errors ?? 0) };
  const sampleOf = metric === "firstByte" ? ({ streams }: UsageSum) => streams : allRequests;
  return {
    meaning: metric === "cacheHits" ? "good" : isMean(metric) ? "bad" : "neither",
    sample: Math.min(sampleOf(total), before ? sampleOf(before) : 0),
  };
};
