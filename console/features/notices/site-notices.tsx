import { useTranslation } from "react-i18next";
import { SettingCard } from "../../components/setting-card";
import { SentLog } from "./sent-log";
import { TargetList } from "./target-list";
import { useOffered } from "./use-offered";

/** Notifications about the site, for root; empty if the server has no notices. */
const SiteNotices = () => {
  const { t } = useTranslation();
  if (!useOffered("site")) return null;
  return (
    <div className="flex flex-col gap-4">
      <SettingCard title={t("notice.site.title")} text={t("notice.site.text")}>
        <TargetList scope="site" />
      </SettingCard>
      <SettingCard title={t("notice.sent.title")} text={t("notice.sent.text")}>
        <SentLog scope="site" />
      </SettingCard>
    </div>
  );
};

export default SiteNotices;
