import { Link } from "@tanstack/react-router";
import type { ShownAnnouncement } from "@tollgate/contract/api/announcements";
import { useTranslation } from "react-i18next";
import { AnnouncementRows } from "../../components/announcement-rows";
import { RichText } from "../../components/rich-text";
import { useReadAnnouncements } from "../../lib/announcements";
import { formatTime } from "../../lib/format";

interface AnnouncementsProps {
  announcements: readonly ShownAnnouncement[];
  notice?: string | undefined;
}

/** The current announcements, below the site's notice; empty if there is neither. */
export const Announcements = ({ announcements, notice = "" }: AnnouncementsProps) => {
  const { t } = useTranslation();
  const { isRead, markRead } = useReadAnnouncements();
  if (announcements.length === 0 && notice === "") return null;
  return (
    <section
      aria-label={t("announcement.title")}
      className="min-w-0 overflow-hidden rounded-lg border border-line bg-surface"
    >
      <div className="flex h-11 items-center justify-between px-4">
        <h2 className="font-semibold text-base">{t("announcement.title")}</h2>
        {announcements.length > 0 && (
          <Link to="/announcement" className="touch text-sm text-accent underline-offset-2 hover:underline">
            {t("announcement.all")}
          </Link>
        )}
      </div>
      {notice !== "" && (
        <div className="border-line border-t px-4 py-3">
          <RichText source={notice} />
        </div>
      )}
      {announcements.length > 0 && (
        <div className="border-line border-t">
          <AnnouncementRows
            rows={announcements.map((each) => ({
              ...each,
              isRead: isRead(each.id),
              hasEnded: false,
              date: formatTime(each.startsAt).slice(0, 16),
            }))}
            onRead={(id) => markRead([id])}
          />
        </div>
      )}
    </section>
  );
};
