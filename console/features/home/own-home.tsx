import { useQuery } from "@tanstack/react-query";
import type { ShownAnnouncement } from "@tollgate/contract/api/announcements";
import { useTranslation } from "react-i18next";
import { PageFrame } from "../../components/page-frame";
import { useSession } from "../../lib/session";
import { Announcements } from "./announcements";
import { FirstSteps } from "./first-steps";
import { OwnKeys } from "./own-keys";
import { OwnModels } from "./own-models";
import { OwnRequests } from "./own-requests";
import { OwnTiles, useSpending } from "./own-tiles";
import { noticeQuery } from "./site-text-queries";

/** The default home page for signed-in users: balance, spending, latest requests, keys and announcements. */
export const OwnHome = ({ announcements }: { announcements: readonly ShownAnnouncement[] }) => {
  const { t } = useTranslation();
  const { user } = useSession();
  const { data: notice } = useQuery(noticeQuery);
  const { spending } = useSpending();
  const isNew = spending?.month === 0 && spending.week === 0 && spending.requestsToday === 0;
  return (
    <PageFrame title={t("home.own.title", { name: user?.displayName || user?.username })}>
      <OwnTiles />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">{isNew ? <FirstSteps /> : <OwnRequests />}</div>
        <div className="flex min-w-0 flex-col gap-4">
          <Announcements announcements={announcements} notice={notice} />
          <OwnKeys />
          <OwnModels />
        </div>
      </div>
    </PageFrame>
  );
};
