import { declares, OPTIONS } from "@tollgate/contract/options/options";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { SwitchField } from "../../components/switch-field";
import { notify } from "../../lib/notify";
import { optionId } from "./find-options";
import type { OptionValues } from "./option-changes";
import { useSaveOptions } from "./save-options";
import type { SwitchKey } from "./sections";

// Fetched with the first question.
const ConfirmDialog = lazy(() => import("../../components/confirm-dialog"));

interface OptionSwitchesProps {
  switches: readonly SwitchKey[];
  stored: OptionValues;
  /** Whether a setting is another person's to change. */
  isLocked: (key: string) => boolean;
  /** Whether a locked one says whose it is; not where the whole section says so. */
  isNoted: boolean;
}

/** The switches of a section. */
export const OptionSwitches = ({ switches, stored, isLocked, isNoted }: OptionSwitchesProps) => (
  <div className="grid gap-x-6 gap-y-3.5 lg:grid-cols-2">
    {switches.map((key) => (
      <div key={key} id={optionId(key)}>
        <OneSwitch name={key} isOn={stored[key] === "true"} isLocked={isLocked(key)} isNoted={isNoted} />
      </div>
    ))}
  </div>
);

interface OneSwitchProps {
  name: SwitchKey;
  isOn: boolean;
  isLocked: boolean;
  isNoted: boolean;
}

/** A switch is saved the moment it is turned, by sending the opposite text. */
const OneSwitch = ({ name, isOn, isLocked, isNoted }: OneSwitchProps) => {
  const { t } = useTranslation();
  const save = useSaveOptions();
  const [isAsking, setAsking] = useState(false);
  const asking = declares(name, "asksBefore") ? name : undefined;
  const isAsked = asking !== undefined && OPTIONS[asking].asksBefore === (isOn ? "off" : "on");
  const hint = declares(name, "hasHint") ? t(`optionHint.${name}`) : undefined;
  const turn = async () => {
    await save.mutateAsync([{ key: name, value: isOn ? "false" : "true" }]);
    notify.success(t("action.done"));
  };
  return (
    <>
      <SwitchField
        label={t(`option.${name}`)}
        hint={isLocked && isNoted ? t("setting.rootOnly") : hint}
        isOn={isOn}
        disabled={isLocked || save.isPending}
        onChange={() => {
          if (isAsked) setAsking(true);
          // The query client has told a failure.
          else turn().catch(() => undefined);
        }}
      />
      {isAsking && asking && (
        <Suspense>
          <ConfirmDialog
            isOpen
            onOpenChange={setAsking}
            question={t(`optionQuestion.${asking}.question`)}
            consequence={t(`optionQuestion.${asking}.consequence`)}
            confirm={t(`optionQuestion.${asking}.confirm`)}
            onConfirm={turn}
          />
        </Suspense>
      )}
    </>
  );
};
