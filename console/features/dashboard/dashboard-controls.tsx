import { exportOwnUsage, exportUsage } from "@tollgate/contract/api/logs";
import { RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { ExportButton } from "../../components/export-button";
import { Segmented } from "../../components/segmented";
import { formatTime } from "../../lib/format";
import { usageParameters } from "../../lib/usage/usage-query";
import { fitsStep } from "../../lib/usage/usage-range";
import {
  DASHBOARD_PRESETS,
  type DashboardSearch,
  DEFAULT_RANGE,
  filterOf,
  type RangeName,
} from "./dashboard-search";
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
  const chooseRange = (name: RangeName) => {
    // The custom range starts as the previous one; a preset sets its own step.
    if (name === "own") onChange({ range: name, from: formatTime(range.from), to: formatTime(range.to) });
    else
      onChange({
        range: name === DEFAULT_RANGE ? undefined : name,
        from: undefined,
        to: undefined,
        step: undefined,
      });
  };
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
        onChange={chooseRange}
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
      <Button
        size="icon"
        aria-label={t("action.refresh")}
        title={t("action.refresh")}
        onClick={onRefresh}
        isBusy={isBusy}
      >
        {!isBusy && <RotateCw aria-hidden className="size-3.5" />}
      </Button>
    </div>
  );
};
