import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { SiteContent } from "../../components/site-content";
import { liveAnnouncementsQuery } from "../../lib/announcements";
import { readStored, writeStored } from "../../lib/local-store";
import { notify } from "../../lib/notify";
import { useSession } from "../../lib/session";
import { systemName } from "../../lib/status";
import { Announcements } from "./announcements";
import { DefaultHome } from "./default-home";
import { OwnHome } from "./own-home";
import { homeContentQuery, noticeQuery } from "./site-text-queries";

/** Shows the site's notice once, and again when it has changed. */
const useNotice = () => {
  const { data: notice } = useQuery(noticeQuery);
  // The outside system is the queue of toasts.
  useEffect(() => {
    if (!notice || notice === readStored("notice")) return;
    writeStored("notice", notice);
    notify.notice(notice, notice);
  }, [notice]);
};

/** /: the site's own home page, or ours: for guests what this is, for a signed-in person what is theirs. */
export const HomePage = () => {
  const { t } = useTranslation();
  const { user } = useSession();
  const content = useQuery(homeContentQuery);
  // Read beside the content, and waited for: below late announcements the page would jump.
  const { data: announcements = [], isPending } = useQuery(liveAnnouncementsQuery);
  useNotice();
  // An unanswered first visit shows nothing yet: ours would flash before theirs.
  if (content.isPending || isPending) return <div aria-hidden className="min-h-[60dvh]" />;
  if (content.data) {
    return (
      <div className="flex flex-col gap-4">
        <h1 className="sr-only">{systemName()}</h1>
        <Announcements announcements={announcements} />
        <SiteContent source={content.data} title={t("nav.home")} />
      </div>
    );
  }
  return user ? <OwnHome announcements={announcements} /> : <DefaultHome announcements={announcements} />;
};
