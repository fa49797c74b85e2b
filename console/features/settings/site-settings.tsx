import type { OptionTab } from "@tollgate/contract/options/option-entry";
import { mayChangeOption } from "@tollgate/contract/options/option-rights";
import type { SectionId } from "@tollgate/contract/options/options";
import type { Role } from "@tollgate/contract/values/roles";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LockedNote } from "../../components/locked-note";
import { useSession } from "../../lib/session";
import { BodyClearing } from "./body-clearing";
import { LoadedOptions } from "./loaded-options";
import { LogClearing } from "./log-clearing";
import type { OptionValues } from "./option-changes";
import { OptionSection } from "./option-section";
import { PriceLinks } from "./price-links";
import { SaveBar } from "./save-bar";
import { SectionIndex } from "./section-index";
import { type Section, sectionsOf } from "./sections";
import type { DraftStore } from "./use-drafts";
import { useLocatedOption } from "./use-located-option";
import { changesOf, useSaveDrafts } from "./use-save-drafts";

const isAllLocked = (sections: readonly Section[], role: Role): boolean =>
  sections
    .flatMap(({ fields, switches }) => [...fields, ...switches])
    .every((key) => !mayChangeOption(role, key));

/** What some cards have besides options. */
const EXTRAS: Partial<Record<SectionId, (isRoot: boolean, stored: OptionValues) => ReactNode>> = {
  // Only servers with this option compare prices.
  ratios: (_, stored) => stored.LockedPrices !== undefined && <PriceLinks />,
  logs: () => <LogClearing />,
  bodies: (isRoot) => isRoot && <BodyClearing />,
};

interface SiteSettingsProps {
  tab: OptionTab;
  /** The setting that is looked for. */
  option?: string | undefined;
  /** What is typed and not saved, on all tabs. */
  store: DraftStore;
  /** Stands below the cards, once they are there. */
  children?: ReactNode;
}

/** The settings of the whole site that belong to one tab, for administrators. */
const SiteSettings = (props: SiteSettingsProps) => (
  <LoadedOptions>{(stored) => <Tab {...props} stored={stored} />}</LoadedOptions>
);

const Tab = ({ tab, option, store, children, stored }: SiteSettingsProps & { stored: OptionValues }) => {
  const { t } = useTranslation();
  const { user, isRoot } = useSession();
  const sections = sectionsOf(tab, stored);
  const isTabLocked = isAllLocked(sections, user?.role ?? 0);
  const save = useSaveDrafts(store, stored);
  const changes = changesOf(store, stored);
  useLocatedOption(option);
  return (
    <div className="grid items-start gap-x-6 xl:grid-cols-[168px_minmax(0,1fr)]">
      <SectionIndex sections={sections} />
      <div className="flex min-w-0 flex-col gap-4">
        {isTabLocked && <LockedNote text={t("setting.rootOnlyTab")} />}
        {sections.map((section) => (
          <OptionSection
            key={section.id}
            section={section}
            stored={stored}
            store={store}
            isTabLocked={isTabLocked}
            onSubmit={save}
          >
            {EXTRAS[section.id]?.(isRoot, stored)}
          </OptionSection>
        ))}
        {children}
        {changes.length > 0 && (
          <SaveBar
            changes={changes}
            stored={stored}
            isSaving={store.isSaving}
            onSave={save}
            onDiscard={() => store.discard()}
          />
        )}
      </div>
    </div>
  );
};

export default SiteSettings;
