import { useQuery } from "@tanstack/react-query";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Sparkline } from "../../components/chart/sparkline";
import { FailedState } from "../../components/failed-state";
import { Segmented } from "../../components/segmented";
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
  return (
    <div className="overflow-x-auto">
      <table aria-label={title} className="w-full border-collapse text-sm tabular-nums">
        <thead>
          <tr className="text-xs text-ink-2">
            <th scope="col" className="h-9 px-4 text-start font-medium">
              {t(by === "model" ? "field.model" : "keyPage.day")}
            </th>
            {by === "model" && (
              <th scope="col" className="px-2 font-medium max-wide:hidden">
                <span className="sr-only">{t("keyPage.course")}</span>
              </th>
            )}
            <th scope="col" className="px-2 text-end font-medium">
              {t("keyPage.requests")}
            </th>
            <th scope="col" className="px-2 text-end font-medium max-wide:hidden">
              {t("keyPage.tokens")}
            </th>
            <th scope="col" className="px-4 text-end font-medium">
              {t("keyPage.cost")}
            </th>
          </tr>
        </thead>
        <tbody>
          {sums.map((sum) => (
            <tr key={`${sum.key} ${sum.others ?? ""}`} className="border-line border-t">
              <td className="h-9 break-all px-4">{nameOf(sum)}</td>
              {by === "model" && (
                <td className="px-2 max-wide:hidden">
                  <Sparkline values={sum.course} isOpen className="h-5 w-24" />
                </td>
              )}
              <td className="px-2 text-end">{formatCount(sum.requests + sum.errors)}</td>
              <td className="px-2 text-end max-wide:hidden">{formatCount(sum.tokens)}</td>
              <td className="px-4 text-end">{formatQuota(sum.quota, 4)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-line border-t font-medium">
            <td className="h-9 px-4">{t("keyPage.total")}</td>
            {by === "model" && <td className="max-wide:hidden" />}
            <td className="px-2 text-end">
              {formatCount(total(({ requests, errors }) => requests + errors))}
            </td>
            <td className="px-2 text-end max-wide:hidden">{formatCount(total(({ tokens }) => tokens))}</td>
            <td className="px-4 text-end">
              {formatQuota(
                total(({ quota }) => quota),
                4,
              )}
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
};
