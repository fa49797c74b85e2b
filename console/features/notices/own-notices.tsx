import { useTranslation } from "react-i18next";
import { SettingCard } from "../../components/setting-card";
import { SentLog } from "./sent-log";
import { TargetList } from "./target-list";
import { ThresholdForm } from "./threshold-form";
import { useOffered } from "./use-offered";

/** Notifications about one's own account; empty if the server has no notices. */
const OwnNotices = () => {
  const { t } = useTranslation();
  if (!useOffered("user")) return null;
  return (
    <>
      <SettingCard id="section-notices" title={t("notice.own.title")} text={t("notice.own.text")}>
        <ThresholdForm />
        <TargetList scope="user" />
      </SettingCard>
      <SettingCard id="section-sent" title={t("notice.sent.title")} text={t("notice.sent.text")}>
        <SentLog scope="user" />
      </SettingCard>
    </>
  );
};

export default OwnNotices;
