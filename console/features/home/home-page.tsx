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

/** Shows the site's notice once, and again after a change. */
const useNotice = () => {
  const { data: notice } = useQuery(noticeQuery);
  // An effect, because the queue of toasts is outside React.
  useEffect(() => {
    if (!notice || notice === readStored("notice")) return;
    writeStored("notice", notice);
    notify.notice(notice, notice);
  }, [notice]);
};

/** /: the site's own home page, or the default: an introduction for guests, an overview for signed-in users. */
export const HomePage = () => {
  const { t } = useTranslation();
  const { user } = useSession();
  const content = useQuery(homeContentQuery);
  // Loaded in parallel and awaited: late announcements would move the page below them.
  const { data: announcements = [], isPending } = useQuery(liveAnnouncementsQuery);
  useNotice();
  // A first visit stays empty until the answer: the default would flash before the site's page.
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
