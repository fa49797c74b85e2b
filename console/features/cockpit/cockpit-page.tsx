import { useQuery, useQueryClient } from "@tanstack/react-query";
import { listMatters } from "@tollgate/contract/api/attention";
import { getProfit } from "@tollgate/contract/api/profit";
import { listUsage } from "@tollgate/contract/api/usage";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { AdminsOnly } from "../../components/admins-only";
import { PageFrame, Panel } from "../../components/page-frame";
import { RefreshButton } from "../../components/refresh-button";
import { UnbrokenDates } from "../../components/unbroken-dates";
import { useSession } from "../../lib/session";
import { formatSpan } from "../../lib/usage/usage-range";
import { ChannelHealth } from "./channel-health";
import { cockpitRanges } from "./cockpit-range";
import { Matters, mattersQuery } from "./matters";
import { FailuresCard, SpendingCard } from "./movers-card";
import { TodayTiles } from "./today-tiles";

/** Polling interval while the page is visible. */
const EVERY_MS = 60_000;

/** Calls whose answers the page shows. */
const SHOWN = [listMatters, listUsage, getProfit];

/** /cockpit: the matters for an administrator, and today's figures. */
export const CockpitPage = () => {
  const { t } = useTranslation();
  const { isAdmin } = useSession();
  return isAdmin ? (
    <Cockpit />
  ) : (
    <PageFrame title={t("cockpit.title")}>
      <Panel>
        <AdminsOnly title={t("cockpit.forAdmins")} />
      </Panel>
    </PageFrame>
  );
};

/** The time to the minute, which advances while the page is visible. */
const useMinute = (): [nowMs: number, update: () => void] => {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setNowMs(Date.now());
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return [nowMs - (nowMs % EVERY_MS), () => setNowMs(Date.now())];
};

const Cockpit = () => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { may } = useSession();
  const [minuteMs, update] = useMinute();
  const { isPending } = useQuery(mattersQuery);
  const { today, weekBefore, lastDay } = useMemo(() => cockpitRanges(minuteMs), [minuteMs]);
  const refresh = (): void => {
    update();
    for (const { reads } of SHOWN) void client.invalidateQueries({ queryKey: [reads] });
  };
  return (
    <PageFrame
      title={t("cockpit.title")}
      description={
        <span className="tabular-nums">
          <UnbrokenDates
            text={t("cockpit.compared", {
              now: formatSpan(today.to, "hour"),
              from: formatSpan(weekBefore.from, "hour"),
              to: formatSpan(weekBefore.to, "hour"),
            })}
          />
        </span>
      }
      aside={<RefreshButton onClick={refresh} />}
    >
      <Matters />
      {/* Hidden until the number of matters is known, so that nothing below them jumps. */}
      <div className={isPending ? "hidden" : "flex flex-col gap-4"}>
        {may("usage") && (
          <>
            <TodayTiles today={today} weekBefore={weekBefore} />
            <ChannelHealth range={lastDay} />
            <div className="grid gap-4 wide:grid-cols-2">
              <SpendingCard by="user" today={today} weekBefore={weekBefore} />
              <SpendingCard by="model" today={today} weekBefore={weekBefore} />
              <FailuresCard by="user" today={today} weekBefore={weekBefore} />
              <FailuresCard by="token" today={today} weekBefore={weekBefore} />
            </div>
          </>
        )}
      </div>
    </PageFrame>
  );
};
