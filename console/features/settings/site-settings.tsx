import type { OptionTab } from "@tollgate/contract/options/option-entry";
import { mayChangeOption } from "@tollgate/contract/options/option-rights";
import type { SectionId } from "@tollgate/contract/options/options";
import type { Role } from "@tollgate/contract/values/roles";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { LockedNote } from "../../components/locked-note";
import { IndexedCards } from "../../components/section-index";
import { useSession } from "../../lib/session";
import { BodyClearing } from "./body-clearing";
import { sectionElementId } from "./find-options";
import { LoadedOptions } from "./loaded-options";
import { LogClearing } from "./log-clearing";
import type { OptionValues } from "./option-changes";
import { OptionSection } from "./option-section";
import { ErrorRulesLink, PriceLinks } from "./price-links";
import { SaveBar } from "./save-bar";
import { type Section, sectionsOf } from "./sections";
import type { DraftStore } from "./use-drafts";
import { useLocatedOption } from "./use-located-option";
import { useOptionRole } from "./use-option-role";
import { changesOf, useSaveDrafts } from "./use-save-drafts";

/** Up to this number, a tab's cards are expanded; more are collapsible. */
const MAX_UNFOLDED = 3;

const unfoldCards = (): void => {
  for (const details of document.querySelectorAll<HTMLDetailsElement>("section > details"))
    details.open = true;
};

const isAllLocked = (sections: readonly Section[], role: Role): boolean =>
  sections
    .flatMap(({ fields, switches }) => [...fields, ...switches])
    .every((key) => !mayChangeOption(role, key));

/** Additional content of some cards. */
const EXTRAS: Partial<Record<SectionId, (isRoot: boolean, stored: OptionValues) => ReactNode>> = {
  general: (_, stored) => stored.ErrorRules !== undefined && <ErrorRulesLink />,
  // Only servers with this option compare prices.
  ratios: (_, stored) => stored.LockedPrices !== undefined && <PriceLinks />,
  logs: () => <LogClearing />,
  bodies: (isRoot) => isRoot && <BodyClearing />,
};

interface SiteSettingsProps {
  tab: OptionTab;
  /** The setting to show. */
  option?: string | undefined;
  /** The unsaved values of all tabs. */
  store: DraftStore;
  /** Shown below the cards, once they have loaded. */
  children?: ReactNode;
}

/** One tab of the site's settings, for administrators. */
const SiteSettings = (props: SiteSettingsProps) => (
  <LoadedOptions>{(stored) => <Tab {...props} stored={stored} />}</LoadedOptions>
);

const Tab = ({ tab, option, store, children, stored }: SiteSettingsProps & { stored: OptionValues }) => {
  const { t } = useTranslation();
  const { isRoot } = useSession();
  const sections = sectionsOf(tab, stored);
  const isTabLocked = isAllLocked(sections, useOptionRole());
  const save = useSaveDrafts(store, stored);
  const changes = changesOf(store, stored);
  const isFolded = sections.length > MAX_UNFOLDED;
  useLocatedOption(option);
  return (
    <IndexedCards
      cards={sections.map(({ id }) => ({ id: sectionElementId(id), title: t(`setting.section.${id}`) }))}
    >
      {isTabLocked && <LockedNote text={t("setting.rootOnlyTab")} />}
      {isFolded && (
        <Button size="small" className="self-end" onClick={unfoldCards}>
          {t("setting.unfold")}
        </Button>
      )}
      {sections.map((section, index) => (
        <OptionSection
          isOpen={isFolded ? index === 0 : undefined}
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
    </IndexedCards>
  );
};

export default SiteSettings;
