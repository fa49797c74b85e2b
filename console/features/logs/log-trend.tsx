import { LOG_ALL, LOG_CONSUME } from "@tollgate/contract/values/statuses";
import { ChartColumn, ChevronDown, ChevronUp } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { LazyBoundary } from "../../components/lazy-boundary";
import { readStored, subscribeStored, writeStored } from "../../lib/local-store";
import { useSession } from "../../lib/session";
import type { LogSearch } from "./log-search";

/** Local storage key of the shown metric; absent while collapsed. */
const STORED = "log-trend";

const storedMetric = (): "requests" | "quota" | undefined => {
  const stored = readStored(STORED);
  return stored === "requests" || stored === "quota" ? stored : undefined;
};

interface LogTrendProps {
  search: LogSearch;
  onFilter: (filter: LogSearch) => void;
}

/** The usage of the filtered log as a chart, collapsed until the user opens it. */
export const LogTrend = ({ search, onFilter }: LogTrendProps) => {
  const { t } = useTranslation();
  const { may } = useSession();
  const metric = useSyncExternalStore(subscribeStored, storedMetric);
  const type = search.type ?? LOG_ALL;
  // Usage sums contain only consumption, and do not know how requests ended.
  if (search.outcome !== undefined) return null;
  // The sums of all users need a right of their own.
  if (may("logs") && !may("usage")) return null;
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
        // The code is loaded only when expanded.
        <LazyBoundary
          load={() => import("./log-chart")}
          with={{ search, metric, onFilter, onMetric: (next) => writeStored(STORED, next) }}
          fallback={<div className="skeleton" style={{ height: 230 }} />}
        />
      )}
    </section>
  );
};
