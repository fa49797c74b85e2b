import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { Megaphone } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AnnouncementRows } from "../../components/announcement-rows";
import { Button, buttonVariants } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { PageFrame } from "../../components/page-frame";
import { PanelLoading } from "../../components/panel-loading";
import { useReadAnnouncements } from "../../lib/announcements";
import { formatTime } from "../../lib/format";
import { joinPages } from "../../lib/growing-list";
import { useSession } from "../../lib/session";
import { pastAnnouncements } from "./announcement-queries";

/** /announcement: all announcements of the user's groups, including ended ones. */
export const AnnouncementPage = () => {
  const { t } = useTranslation();
  const { may } = useSession();
  const [now] = useState(() => toUnixSeconds(Date.now()));
  const { isRead, markRead } = useReadAnnouncements();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } =
    useInfiniteQuery(pastAnnouncements);
  const all = data && joinPages(data.pages);
  const unread = (all ?? []).filter(({ id }) => !isRead(id)).map(({ id }) => id);
  return (
    <PageFrame
      title={t("announcement.title")}
      aside={
        <span className="flex flex-wrap gap-2">
          {unread.length > 0 && (
            <Button onClick={() => markRead(unread)}>{t("announcement.markRead")}</Button>
          )}
          {may("announcements", "change") && (
            <Link to="/setting/announcements" className={buttonVariants({ variant: "plain" })}>
              {t("announcement.manage")}
            </Link>
          )}
        </span>
      }
    >
      {all ? (
        <section
          aria-label={t("announcement.title")}
          className="overflow-hidden rounded-lg border border-line bg-surface"
        >
          {all.length === 0 ? (
            <EmptyState
              icon={<Megaphone />}
              title={t("announcement.emptyTitle")}
              text={t("announcement.emptyText")}
            />
          ) : (
            <AnnouncementRows
              rows={all.map((each) => ({
                ...each,
                isRead: isRead(each.id),
                hasEnded: each.endsAt !== 0 && each.endsAt <= now,
                date: formatTime(each.startsAt).slice(0, 16),
              }))}
              onRead={(id) => markRead([id])}
            />
          )}
        </section>
      ) : (
        <PanelLoading error={error} onRetry={() => void refetch()} />
      )}
      {hasNextPage && (data?.pages.at(-1)?.length ?? 0) >= PAGE_SIZE && (
        <Button className="self-center" isBusy={isFetching} onClick={() => void fetchNextPage()}>
          {t("announcement.more")}
        </Button>
      )}
    </PageFrame>
  );
};
