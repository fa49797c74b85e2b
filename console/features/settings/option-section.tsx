import { mayChangeOption } from "@tollgate/contract/management/option";
import type { OptionEntry } from "@tollgate/contract/options/option-entry";
import { entryOf } from "@tollgate/contract/options/options";
import { clsx } from "clsx";
import { TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { SettingCard } from "../../components/setting-card";
import { focusMistake } from "../../lib/focus-mistake";
import { notify } from "../../lib/notify";
import { useSession } from "../../lib/session";
import { useSaveOptions } from "./api/save-options";
import { findChanges, type OptionChanges, type OptionValues } from "./option-changes";
import { OptionControl } from "./option-control";
import { OptionSwitches } from "./option-switches";
import { hasFields, type Section } from "./sections";

/** These need the whole line. */
const WIDE: ReadonlySet<OptionEntry["type"]> = new Set(["area", "ratios", "json", "domains"]);

/** Nothing, or this machine's own name: one-api's value until somebody sets another. */
const LOCAL_ADDRESS = /^(https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?\/?)?$/;

interface OptionSectionProps {
  section: Section;
  stored: OptionValues;
  /** Nothing of the tab can be changed, which it says itself. */
  isTabLocked: boolean;
  /** Stands under the switches and fields. */
  children?: ReactNode;
}

/** A card of settings that belong together: switches that act at once, and fields with a button that saves them. */
export const OptionSection = ({ section, stored, isTabLocked, children }: OptionSectionProps) => {
  const { t } = useTranslation();
  const save = useSaveOptions();
  const [mistakes, setMistakes] = useState<OptionChanges["mistakes"]>({});
  const title = t(`setting.section.${section.id}`);
  const role = useSession().user?.role ?? 0;
  const isLocked = (key: string) => !mayChangeOption(role, key);
  const { fields, switches } = section;
  const isAllLocked = fields.every(isLocked);

  const submit = (form: HTMLFormElement) => {
    const typed: OptionValues = {};
    for (const [key, value] of new FormData(form)) typed[key] = String(value);
    const found = findChanges(fields, typed, stored, window.location.protocol === "https:");
    setMistakes(found.mistakes);
    if (focusMistake(form, found.mistakes)) return;
    if (found.changes.length === 0) {
      notify.info(t("setting.unchanged"));
      return;
    }
    save.mutate(found.changes, {
      onSuccess: () => {
        notify.success(t("action.done"));
        // A secret is not kept where it could be read; one typed since then still has to be saved.
        for (const input of form.querySelectorAll<HTMLInputElement>("input[type=password]")) {
          if (input.value === typed[input.name]) input.value = "";
        }
      },
    });
  };

  const address = stored.ServerAddress || window.location.origin;
  // An address that was never set stands for the mail's own machine, wherever it is read.
  const isAddressUnset = LOCAL_ADDRESS.test(stored.ServerAddress ?? "unknown");
  return (
    <SettingCard title={title} text={t(`setting.sectionText.${section.id}`, { address })}>
      {isAddressUnset && (section.id === "server" || section.id === "smtp") && (
        <p
          role="note"
          className="flex items-start gap-2.5 rounded-md bg-yellow-soft px-3.5 py-2.5 text-[13.5px] text-ink"
        >
          <TriangleAlert aria-hidden className="mt-[3px] size-4 shrink-0 text-yellow" />
          {t("setting.addressUnset")}
        </p>
      )}
      {switches.length > 0 && (
        <OptionSwitches switches={switches} stored={stored} isLocked={isLocked} isNoted={!isTabLocked} />
      )}
      {hasFields(section) && (
        <form
          aria-label={title}
          noValidate
          className="flex flex-col gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            submit(event.currentTarget);
          }}
        >
          <div className="grid gap-x-6 gap-y-5 wide:grid-cols-2">
            {fields.map((field) => (
              <div key={field} className={clsx("min-w-0", WIDE.has(entryOf(field).type) && "col-span-full")}>
                <OptionControl
                  field={field}
                  stored={stored}
                  mistake={mistakes[field]}
                  isLocked={isLocked(field)}
                  isNoted={!isTabLocked}
                />
              </div>
            ))}
          </div>
          {!isAllLocked && (
            <div>
              <Button type="submit" isBusy={save.isPending}>
                {t(`setting.save.${section.id}`)}
              </Button>
            </div>
          )}
        </form>
      )}
      {children}
    </SettingCard>
  );
};
