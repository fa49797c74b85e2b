import { useQuery } from "@tanstack/react-query";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Sparkline } from "../../components/chart/sparkline";
import { FailedState } from "../../components/failed-state";
import { Segmented } from "../../components/segmented";
import { type SmallColumn, SmallTable } from "../../components/small-table";
import { formatCount, formatQuota, formatTime } from "../../lib/format";
import { clockOffsetMinutes } from "../../lib/usage/usage-range";
import { keyDaysQuery, SHOWN_DAYS, type Visit } from "./key-calls";
import { type DaySum, dayBegins, sumByDay, sumByModel } from "./sum-days";

type Grouping = "model" | "day";

/** The key's use of the latest days, by model or by day. */
export const KeyUse = ({ visit }: { visit: Visit }) => {
  const { t } = useTranslation();
  const [by, setBy] = useState<Grouping>("model");
  const { data, error, refetch } = useQuery(keyDaysQuery(visit));
  const title = t("keyPage.use", { count: SHOWN_DAYS });
  const begins = dayBegins(toUnixSeconds(Date.now()), SHOWN_DAYS, clockOffsetMinutes());
  const sums = data && (by === "model" ? sumByModel(data, begins) : sumByDay(data));
  return (
    <section aria-label={title} aria-busy={!data} className="rounded-lg border border-line bg-surface">
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 py-3">
        <h2 className="font-semibold text-base">{title}</h2>
        <Segmented
          label={t("keyPage.by")}
          value={by}
          segments={[
            { value: "model", label: t("keyPage.byModel") },
            { value: "day", label: t("keyPage.byDay") },
          ]}
          onChange={setBy}
        />
      </div>
      {error && <FailedState error={error} onRetry={() => void refetch()} />}
      {!sums && !error && <div className="skeleton h-40 w-full" />}
      {sums?.length === 0 && <p className="px-4 pb-4 text-sm text-ink-2">{t("keyPage.noUse")}</p>}
      {sums && sums.length > 0 && <UseTable title={title} by={by} sums={sums} />}
    </section>
  );
};

const UseTable = ({ title, by, sums }: { title: string; by: Grouping; sums: readonly DaySum[] }) => {
  const { t } = useTranslation();
  const nameOf = ({ key, others }: DaySum): string => {
    if (typeof key === "number") return formatTime(key).slice(0, 10);
    if (others !== undefined) return t("keyPage.otherModels", { count: others });
    return key || t("value.none");
  };
  const total = (read: (sum: DaySum) => number) => sums.reduce((all, sum) => all + read(sum), 0);
  const requestsOf = ({ requests, errors }: DaySum) => requests + errors;
  const columns: SmallColumn<DaySum>[] = [
    {
      id: "name",
      label: t(by === "model" ? "field.model" : "keyPage.day"),
      cell: nameOf,
      total: t("keyPage.total"),
      className: "break-all",
    },
    {
      id: "course",
      label: t("keyPage.course"),
      isLabelHidden: true,
      cell: ({ course }) => <Sparkline values={course} isOpen className="h-5 w-24" />,
      isForWide: true,
    },
    {
      id: "requests",
      label: t("keyPage.requests"),
      cell: (sum) => formatCount(requestsOf(sum)),
      total: formatCount(total(requestsOf)),
      isNumber: true,
    },
    {
      id: "tokens",
      label: t("keyPage.tokens"),
      cell: ({ tokens }) => formatCount(tokens),
      total: formatCount(total(({ tokens }) => tokens)),
      isNumber: true,
      isForWide: true,
    },
    {
      id: "cost",
      label: t("keyPage.cost"),
      cell: ({ quota }) => formatQuota(quota, 4),
      total: formatQuota(
        total(({ quota }) => quota),
        4,
      ),
      isNumber: true,
    },
  ];
  return (
    <SmallTable
      label={title}
      columns={columns.filter(({ id }) => id !== "course" || by === "model")}
      rows={sums}
      rowKey={({ key, others }) => `${key} ${others ?? ""}`}
    />
  );
};
