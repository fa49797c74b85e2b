import { mayChangeOption } from "@tollgate/contract/control/option";
import type { Role } from "@tollgate/contract/values/roles";
import { Lock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useSession } from "../../lib/session";
import { BodyClearing } from "./body-clearing";
import { LogClearing } from "./log-clearing";
import { OptionSection } from "./option-section";
import { OptionTab } from "./option-tab";
import {
  BODY_SECTION,
  LOG_SECTION,
  OPERATION_SECTIONS,
  OTHER_SECTIONS,
  type OptionSection as Section,
  SYSTEM_SECTIONS,
} from "./options";

/** The tabs of site settings, for administrators. */
export type SiteTab = "operation" | "system" | "other";

const SECTIONS: Record<SiteTab, readonly Section[]> = {
  operation: OPERATION_SECTIONS,
  system: SYSTEM_SECTIONS,
  other: OTHER_SECTIONS,
};

const isAllLocked = (sections: readonly Section[], role: Role): boolean =>
  sections
    .flatMap(({ fields = [], switches = [] }) => [...fields, ...switches])
    .every(({ key }) => !mayChangeOption(role, key));

/** The settings of the whole site that belong to one tab. */
const SiteSettings = ({ tab }: { tab: SiteTab }) => {
  const { t } = useTranslation();
  const { user, isRoot } = useSession();
  const isTabLocked = isAllLocked(SECTIONS[tab], user?.role ?? 0);
  return (
    <OptionTab>
      {(stored) => (
        <>
          {isTabLocked && (
            <p className="flex items-center gap-2.5 rounded-lg border border-line bg-sunken px-4 py-3 text-ink-2">
              <Lock aria-hidden className="size-4 shrink-0" />
              {t("setting.rootOnlyTab")}
            </p>
          )}
          {SECTIONS[tab].map((section) => (
            <OptionSection key={section.id} section={section} stored={stored} isTabLocked={isTabLocked} />
          ))}
          {tab === "operation" && (
            <OptionSection section={LOG_SECTION} stored={stored} isTabLocked={isTabLocked}>
              <LogClearing />
            </OptionSection>
          )}
          {tab === "operation" && "BodyLogEnabled" in stored && (
            <OptionSection section={BODY_SECTION} stored={stored} isTabLocked={isTabLocked}>
              {isRoot && <BodyClearing />}
            </OptionSection>
          )}
        </>
      )}
    </OptionTab>
  );
};

export default SiteSettings;
