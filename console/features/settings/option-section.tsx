import { mayChangeOption } from "@tollgate/contract/options/option-rights";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { SettingCard } from "../../components/setting-card";
import { useSession } from "../../lib/session";
import { optionId, sectionElementId } from "./find-options";
import type { OptionValues } from "./option-changes";
import { OptionControl } from "./option-control";
import { OptionSwitch } from "./option-switch";
import type { Section } from "./sections";
import type { DraftStore } from "./use-drafts";

/** Nothing, or this machine's own name: one-api's value until a person sets another. */
const LOCAL_ADDRESS = /^(https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?\/?)?$/;

interface OptionSectionProps {
  section: Section;
  stored: OptionValues;
  store: DraftStore;
  /** Nothing of the tab can be changed, which it says itself. */
  isTabLocked: boolean;
  /** Set where cards are folded: whether this one is open at first. */
  isOpen: boolean | undefined;
  /** Saves what was typed on all cards. */
  onSubmit: () => void;
  /** Stands under the switches and fields. */
  children?: ReactNode;
}

/** A card of settings that belong together: switches that act at once, and fields that the bar below the page saves. */
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
  const role = useSession().user?.role ?? 0;
  const address = stored.ServerAddress || window.location.origin;
  // An address that was never set stands for the mail's own machine, wherever it is read.
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
          {t("setting.addressUnset")}
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
        {/* Enter in a field saves. */}
        <button type="submit" hidden disabled={fields.every((key) => !mayChangeOption(role, key))} />
      </form>
      {children}
    </SettingCard>
  );
};
