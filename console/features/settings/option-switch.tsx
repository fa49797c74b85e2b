import { declares, OPTIONS } from "@tollgate/contract/options/options";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { SwitchField } from "../../components/switch-field";
import { notify } from "../../lib/notify";
import { useSaveOptions } from "./save-options";
import type { SwitchKey } from "./sections";

// Loaded with the first question.
const ConfirmDialog = lazy(() => import("../../components/confirm-dialog"));

interface OptionSwitchProps {
  name: SwitchKey;
  isOn: boolean;
  isLocked: boolean;
  /** Whether a locked option names the required role; not if the whole section does. */
  isNoted: boolean;
}

/** A switch is saved immediately, by sending the opposite value. */
export const OptionSwitch = ({ name, isOn, isLocked, isNoted }: OptionSwitchProps) => {
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
        isRow
        label={t(`option.${name}`)}
        hint={isLocked && isNoted ? t("setting.rootOnly") : hint}
        isOn={isOn}
        disabled={isLocked || save.isPending}
        onChange={() => {
          if (isAsked) setAsking(true);
          // The query client has reported a failure.
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
