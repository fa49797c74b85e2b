import { useQueryClient } from "@tanstack/react-query";
import type { OptionEntry } from "@tollgate/contract/options/option-entry";
import { mayChangeOption } from "@tollgate/contract/options/option-rights";
import { entryOf } from "@tollgate/contract/options/options";
import { clsx } from "clsx";
import { TriangleAlert } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { SettingCard } from "../../components/setting-card";
import { focusMistake } from "../../lib/focus-mistake";
import { notify } from "../../lib/notify";
import { readNow } from "../../lib/query-client";
import { useSession } from "../../lib/session";
import { optionId, sectionElementId } from "./find-options";
import { findChanges, findOvertaken, type OptionChanges, type OptionValues } from "./option-changes";
import { OptionControl } from "./option-control";
import { OptionSwitches } from "./option-switches";
import { optionsQuery } from "./options-query";
import { type OptionChange, useSaveOptions } from "./save-options";
import { comparesValues, type FieldKey, hasFields, type Section } from "./sections";
import { useShownValues } from "./use-shown-values";

/** These need the whole line. */
const WIDE: ReadonlySet<OptionEntry["type"]> = new Set(["area", "ratios", "json", "domains"]);

/** Nothing, or this machine's own name: one-api's value until a person sets another. */
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
  const queryClient = useQueryClient();
  const [mistakes, setMistakes] = useState<OptionChanges["mistakes"]>({});
  const shown = useShownValues(section.fields, stored);
  /** The changes that the server has refused, until they are saved or given up. */
  const [refused, setRefused] = useState<readonly OptionChange[]>([]);
  const [isChecked, setChecked] = useState(false);
  /** The tables that cannot be saved as they stand. */
  const faulty = useRef(new Set<FieldKey>());
  const title = t(`setting.section.${section.id}`);
  const role = useSession().user?.role ?? 0;
  const isLocked = (key: string) => !mayChangeOption(role, key);
  const { fields, switches } = section;
  const isAllLocked = fields.every(isLocked);
  /** The setting that another administrator has changed since it was read; it ends once the present value is shown. */
  const overtaken = findOvertaken(fields, refused, shown.values, stored);

  const submit = (form: HTMLFormElement) => {
    const typed: OptionValues = {};
    for (const [key, value] of new FormData(form)) typed[key] = String(value);
    setChecked(true);
    if (faulty.current.size > 0) {
      // Once the mistakes are told.
      requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
      return;
    }
    const found = findChanges(fields, typed, shown.values, window.location.protocol === "https:");
    setMistakes(found.mistakes);
    if (focusMistake(form, found.mistakes)) return;
    if (found.changes.length === 0) {
      notify.info(t("setting.unchanged"));
      return;
    }
    const isCompared = comparesValues(stored);
    const changes = found.changes.map(
      ({ key, value }): OptionChange => ({
        key,
        value,
        ...(isCompared && shown.values[key] !== undefined ? { before: shown.values[key] } : {}),
      }),
    );
    save.mutate(changes, {
      onSettled: () => shown.saved(changes, queryClient.getQueryData(optionsQuery.queryKey) ?? {}),
      onError: () => {
        if (!isCompared) return;
        setRefused(changes);
        // The server has said why; what can be done about it, the page says once it knows the present values.
        readNow(queryClient, optionsQuery).catch(() => undefined);
      },
      onSuccess: () => {
        setChecked(false);
        setRefused([]);
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
    <SettingCard
      id={sectionElementId(section.id)}
      title={title}
      text={t(`setting.sectionText.${section.id}`, { address })}
    >
      {isAddressUnset && (section.id === "server" || section.id === "smtp") && (
        <p
          role="note"
          className="flex items-start gap-2.5 rounded-md bg-yellow-soft px-3.5 py-2.5 text-sm text-ink"
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
          key={shown.edition}
          aria-label={title}
          noValidate
          className="flex flex-col gap-5"
          onInput={shown.touch}
          onSubmit={(event) => {
            event.preventDefault();
            submit(event.currentTarget);
          }}
        >
          <div className="grid gap-x-6 gap-y-5 wide:grid-cols-2">
            {fields.map((field) => (
              <div
                key={field}
                id={optionId(field)}
                className={clsx("min-w-0", WIDE.has(entryOf(field).type) && "col-span-full")}
              >
                <OptionControl
                  field={field}
                  stored={shown.values}
                  mistake={mistakes[field]}
                  isLocked={isLocked(field)}
                  isNoted={!isTabLocked}
                  isChecked={isChecked}
                  onEdit={(edited, isFaulty) => {
                    shown.touch();
                    if (isFaulty) faulty.current.add(edited);
                    else faulty.current.delete(edited);
                  }}
                />
              </div>
            ))}
          </div>
          {overtaken && (
            <div
              role="alert"
              className="flex flex-col items-start gap-2 rounded-md bg-red-soft px-3.5 py-2.5 text-sm"
            >
              {t("setting.changedMeanwhile", { name: t(`option.${overtaken}`) })}
              <Button
                size="small"
                onClick={() => {
                  setRefused([]);
                  setChecked(false);
                  setMistakes({});
                  faulty.current.clear();
                  shown.load();
                }}
              >
                {t("setting.loadPresent")}
              </Button>
            </div>
          )}
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
