import { LOG_ALL, LOG_CONSUME } from "@tollgate/contract/values/statuses";
import { ChartColumn, ChevronDown, ChevronUp } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { LazyBoundary } from "../../components/lazy-boundary";
import { readStored, subscribeStored, writeStored } from "../../lib/local-store";
import type { LogSearch } from "./log-search";

/** Under which name this browser remembers what is shown; absent while it is folded. */
const STORED = "log-trend";

const storedMetric = (): "requests" | "quota" | undefined => {
  const stored = readStored(STORED);
  return stored === "requests" || stored === "quota" ? stored : undefined;
};

interface LogTrendProps {
  search: LogSearch;
  onFilter: (filter: LogSearch) => void;
}

/** The usage that the filter lets through as a picture, folded until a person wants to see it. */
export const LogTrend = ({ search, onFilter }: LogTrendProps) => {
  const { t } = useTranslation();
  const metric = useSyncExternalStore(subscribeStored, storedMetric);
  const type = search.type ?? LOG_ALL;
  // Only consumption is ever summed up.
  if (type !== LOG_ALL && type !== LOG_CONSUME) return null;
  const Arrow = metric ? ChevronUp : ChevronDown;
  return (
    <section aria-label={t("trend.title")} className="rounded-lg border border-line bg-surface">
      <Button
        variant="quiet"
        className="w-full rounded-lg px-4"
        aria-expanded={metric !== undefined}
        onClick={() => writeStored(STORED, metric ? undefined : "quota")}
      >
        <ChartColumn aria-hidden className="size-4" />
        {metric ? t("trend.hide") : t("trend.show")}
        <Arrow aria-hidden className="ms-auto size-4" />
      </Button>
      {metric && (
        // Nobody who keeps it folded fetches it.
        <LazyBoundary
          load={() => import("./log-chart")}
          with={{ search, metric, onFilter, onMetric: (next) => writeStored(STORED, next) }}
          fallback={<div className="skeleton" style={{ height: 230 }} />}
        />
      )}
    </section>
  );
};
