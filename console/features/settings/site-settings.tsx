import { LogClearing } from "./log-clearing";
import { OptionSection } from "./option-section";
import { OptionTab } from "./option-tab";
import {
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

/** The settings of the whole site that belong to one tab. */
const SiteSettings = ({ tab }: { tab: SiteTab }) => (
  <OptionTab>
    {(stored) => (
      <>
        {SECTIONS[tab].map((section) => (
          <OptionSection key={section.id} section={section} stored={stored} />
        ))}
        {tab === "operation" && (
          <OptionSection section={LOG_SECTION} stored={stored}>
            <LogClearing />
          </OptionSection>
        )}
      </>
    )}
  </OptionTab>
);

export default SiteSettings;
