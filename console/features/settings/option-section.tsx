import { mayChangeOption } from "@tollgate/contract/options/option-rights";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { SettingCard } from "../../components/setting-card";
import { optionId, sectionElementId } from "./find-options";
import type { OptionValues } from "./option-changes";
import { OptionControl } from "./option-control";
import { OptionSwitch } from "./option-switch";
import type { Section } from "./sections";
import type { DraftStore } from "./use-drafts";
import { useOptionRole } from "./use-option-role";

/** Empty, or this machine's own name: one-api's default until an administrator sets the address. */
const LOCAL_ADDRESS = /^(https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?\/?)?$/;

interface OptionSectionProps {
  section: Section;
  stored: OptionValues;
  store: DraftStore;
  /** The whole tab is read-only, and shows that itself. */
  isTabLocked: boolean;
  /** Set if cards are collapsible: whether this one is open initially. */
  isOpen: boolean | undefined;
  /** Saves the typed values of all cards. */
  onSubmit: () => void;
  /** Shown under the switches and fields. */
  children?: ReactNode;
}

/** A card of related settings: switches that apply immediately, and fields saved by the bar below the page. */
export const OptionSection = ({
  section: { id, switches, fields },
  stored,
  store,
  isTabLocked,
  isOpen,
  onSubmit,
  children,
}: OptionSectionProps) => {
  const { t } = useTranslation();
  const title = t(`setting.section.${id}`);
  const role = useOptionRole();
  const address = stored.ServerAddress || window.location.origin;
  // An unset address in a mail points to the reader's own machine.
  const isAddressUnset = LOCAL_ADDRESS.test(stored.ServerAddress ?? "unknown");
  return (
    <SettingCard
      id={sectionElementId(id)}
      title={title}
      text={t(`setting.sectionText.${id}`, { address })}
      isOpen={isOpen}
    >
      {isAddressUnset && (id === "server" || id === "smtp") && (
        <p
          role="note"
          className="flex items-start gap-2.5 rounded-md bg-yellow-soft px-3.5 py-2.5 text-sm text-ink"
        >
          <TriangleAlert aria-hidden className="mt-[3px] size-4 shrink-0 text-yellow" />
          {t("setting.addressUnset", { address })}
        </p>
      )}
      <form
        aria-label={title}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <div className="flex flex-col divide-y divide-line">
          {switches.map((key) => (
            <div key={key} id={optionId(key)} className="py-3 first:pt-0 last:pb-0">
              <OptionSwitch
                name={key}
                isOn={stored[key] === "true"}
                isLocked={!mayChangeOption(role, key)}
                isNoted={!isTabLocked}
              />
            </div>
          ))}
          {fields.map((field) => (
            <div key={field} id={optionId(field)} className="min-w-0 py-3.5 first:pt-0 last:pb-0">
              <OptionControl
                field={field}
                stored={stored[field]}
                draft={store.drafts[field]}
                failure={store.failures[field]}
                isLocked={!mayChangeOption(role, field)}
                isNoted={!isTabLocked}
                isChecked={store.isChecked}
                onEdit={store.edit}
              />
            </div>
          ))}
        </div>
        {/* Lets Enter in a field save. */}
        <button type="submit" hidden disabled={fields.every((key) => !mayChangeOption(role, key))} />
      </form>
      {children}
    </SettingCard>
  );
};
