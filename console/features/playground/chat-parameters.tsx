import { useTranslation } from "react-i18next";
import { AdvancedSection } from "../../components/advanced-section";
import { SelectField } from "../../components/select-field";
import { TextAreaField, TextField } from "../../components/text-field";
import { type SettingMistake, settingMistakes } from "./chat-request";
import type { ChatSettings } from "./conversation";

/** Efforts of the chat API; models refuse those that they do not have. */
const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;

const NUMBERS = ["temperature", "topP", "maxTokens"] as const;

interface ChatParametersProps {
  settings: ChatSettings;
  onChange: (change: Partial<ChatSettings>) => void;
}

/** System prompt, parameters and tools. */
export const ChatParameters = ({ settings, onChange }: ChatParametersProps) => {
  const { t } = useTranslation();
  const mistakes = settingMistakes(settings);
  const errorOf = (name: SettingMistake) =>
    mistakes.includes(name) ? { error: t(`playground.mistake.${name}`) } : {};
  return (
    <AdvancedSection
      title={t("playground.parameters")}
      hint={t("playground.parametersHint")}
      isOpen={false}
      hasMistake={mistakes.length > 0}
    >
      <TextAreaField
        label={t("playground.system")}
        rows={2}
        value={settings.system}
        onChange={({ target }) => onChange({ system: target.value })}
      />
      <div className="grid grid-cols-2 gap-4 wide:grid-cols-4">
        {NUMBERS.map((name) => (
          <TextField
            key={name}
            label={t(`playground.${name}`)}
            inputMode="decimal"
            autoComplete="off"
            placeholder={t("playground.notSent")}
            value={settings[name]}
            {...errorOf(name)}
            onChange={({ target }) => onChange({ [name]: target.value })}
          />
        ))}
        <SelectField
          label={t("playground.effort")}
          value={settings.effort}
          options={[
            { value: "", label: t("playground.notSent") },
            ...EFFORTS.map((effort) => ({ value: effort as string, label: effort })),
          ]}
          onChange={(effort) => onChange({ effort })}
        />
      </div>
      <TextAreaField
        label={t("playground.tools")}
        hint={t("playground.toolsHint")}
        rows={3}
        spellCheck={false}
        className="font-mono text-sm"
        value={settings.tools}
        {...errorOf("tools")}
        onChange={({ target }) => onChange({ tools: target.value })}
      />
    </AdvancedSection>
  );
};
