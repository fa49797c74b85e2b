import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { SwitchField } from "../../components/switch-field";
import { notify } from "../../lib/notify";
import { useSaveOptions } from "./api/save-options";
import type { OptionValues } from "./option-changes";
import type { OptionSwitch } from "./options";

// Fetched with the first question.
const ConfirmDialog = lazy(() => import("../../components/confirm-dialog"));

interface OptionSwitchesProps {
  switches: readonly OptionSwitch[];
  stored: OptionValues;
  /** Whether a setting is somebody else's to change. */
  isLocked: (key: string) => boolean;
  /** Whether a locked one says whose it is; not where the whole section says so. */
  isNoted: boolean;
}

/** The switches of a section. */
export const OptionSwitches = ({ switches, stored, isLocked, isNoted }: OptionSwitchesProps) => (
  <div className="grid gap-x-6 gap-y-3.5 lg:grid-cols-2">
    {switches.map((spec) => (
      <OneSwitch
        key={spec.key}
        spec={spec}
        isOn={stored[spec.key] === "true"}
        isLocked={isLocked(spec.key)}
        isNoted={isNoted}
      />
    ))}
  </div>
);

interface OneSwitchProps {
  spec: OptionSwitch;
  isOn: boolean;
  isLocked: boolean;
  isNoted: boolean;
}

/** A switch is saved the moment it is turned, by sending the opposite text. */
const OneSwitch = ({ spec, isOn, isLocked, isNoted }: OneSwitchProps) => {
  const { t } = useTranslation();
  const save = useSaveOptions();
  const [isAsking, setAsking] = useState(false);
  const isAsked = spec.asksBefore === (isOn ? "off" : "on");
  const question = spec.asksBefore === "on" ? "setting.keepBodies" : "setting.lockOut";
  const turn = async () => {
    await save.mutateAsync([{ key: spec.key, value: isOn ? "false" : "true" }]);
    notify.success(t("action.done"));
  };
  return (
    <>
      <SwitchField
        label={t(`option.${spec.key}`)}
        hint={isLocked && isNoted ? t("setting.rootOnly") : spec.hint && t(`optionHint.${spec.hint}`)}
        isOn={isOn}
        disabled={isLocked || save.isPending}
        onChange={() => {
          if (isAsked) setAsking(true);
          // The query client has told a failure.
          else turn().catch(() => undefined);
        }}
      />
      {isAsking && (
        <Suspense>
          <ConfirmDialog
            isOpen
            onOpenChange={setAsking}
            question={t(`${question}Question`)}
            consequence={t(`${question}Consequence`)}
            confirm={t(`${question}Confirm`)}
            onConfirm={turn}
          />
        </Suspense>
      )}
    </>
  );
};
