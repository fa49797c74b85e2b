import { useTranslation } from "react-i18next";
import { IndexedCards } from "../components/section-index";
import PersonalSettings from "../features/account/personal-settings";
import OwnNotices from "../features/notices/own-notices";
import { useOffered } from "../features/notices/use-offered";
import { PERSONAL_CARDS } from "./setting-tabs";

/** The user's own settings, from all features. */
const PersonalTab = () => {
  const { t } = useTranslation();
  const hasNotices = useOffered("user");
  return (
    <IndexedCards
      cards={PERSONAL_CARDS.filter((card) => hasNotices || !("isNotice" in card)).map(({ id, title }) => ({
        id,
        title: t(title),
      }))}
    >
      <PersonalSettings>
        <OwnNotices />
      </PersonalSettings>
    </IndexedCards>
  );
};

export default PersonalTab;
