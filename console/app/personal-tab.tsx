import { useTranslation } from "react-i18next";
import { IndexedCards } from "../components/section-index";
import PersonalSettings from "../features/account/personal-settings";
import OwnNotices from "../features/notices/own-notices";
import { useOffered } from "../features/notices/use-offered";

/** The user's own settings, from all features. */
const PersonalTab = () => {
  const { t } = useTranslation();
  const notices = [
    { id: "section-notices", title: t("notice.own.title") },
    { id: "section-sent", title: t("notice.sent.title") },
  ];
  return (
    <IndexedCards
      cards={[
        { id: "section-profile", title: t("personal.section.profile") },
        { id: "section-security", title: t("personal.section.security") },
        { id: "section-binding", title: t("personal.binding") },
        ...(useOffered("user") ? notices : []),
        { id: "section-own", title: t("personal.section.other") },
      ]}
    >
      <PersonalSettings>
        <OwnNotices />
      </PersonalSettings>
    </IndexedCards>
  );
};

export default PersonalTab;
