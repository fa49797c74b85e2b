import { exportOwnUsage, exportUsage } from "@tollgate/contract/api/logs";
import { useTranslation } from "react-i18next";
import { ExportButton } from "../../components/export-button";
import { RefreshButton } from "../../components/refresh-button";
import { Segmented } from "../../components/segmented";
import { chooseRange } from "../../lib/usage/usage-presets";
import { usageParameters } from "../../lib/usage/usage-query";
import { fitsStep } from "../../lib/usage/usage-range";
import { DASHBOARD_PRESETS, type DashboardSearch, DEFAULT_RANGE, filterOf } from "./dashboard-search";
import type { View } from "./use-dashboard";

interface DashboardControlsProps {
  view: View;
  isAdmin: boolean;
  isBusy: boolean;
  onChange: (change: DashboardSearch) => void;
  onRefresh: () => void;
}

/** The range, the step, and the choice of all or one's own usage. */
export const DashboardControls = ({ view, isAdmin, isBusy, onChange, onRefresh }: DashboardControlsProps) => {
  const { t } = useTranslation();
  const { range, step, isAll, by } = view;
  return (
    <div className="flex min-w-0 max-w-full flex-wrap items-center gap-2">
      {isAdmin && (
        <Segmented
          label={t("dashboard.scope")}
          value={isAll ? "all" : "own"}
          segments={[
            { value: "all", label: t("dashboard.scopes.all") },
            { value: "own", label: t("dashboard.scopes.own") },
          ]}
          onChange={(scope) =>
            onChange({ scope: scope === "own" ? "own" : undefined, channel: undefined, username: undefined })
          }
        />
      )}
      <Segmented
        label={t("dashboard.range")}
        value={view.search.range ?? DEFAULT_RANGE}
        segments={[...DASHBOARD_PRESETS, "own" as const].map((value) => ({
          value,
          label: t(`dashboard.ranges.${value}`),
        }))}
        onChange={(name) =>
          // A preset sets its own step.
          onChange({
            ...chooseRange(name, DEFAULT_RANGE, range),
            ...(name === "own" ? {} : { step: undefined }),
          })
        }
      />
      <Segmented
        label={t("dashboard.step")}
        value={step}
        segments={[
          {
            value: "hour",
            label: t("dashboard.steps.hour"),
            refusal: fitsStep(range, "hour") ? undefined : t("dashboard.tooLongForHours"),
          },
          { value: "day", label: t("dashboard.steps.day") },
        ]}
        onChange={(next) => onChange({ step: next })}
      />
      <ExportButton
        isIcon
        file={isAll ? exportUsage : exportOwnUsage}
        query={() => usageParameters({ isAll, range, step, by, filter: filterOf(view.search, isAll) })}
      />
      <RefreshButton isBusy={isBusy} onClick={onRefresh} />
    </div>
  );
};
