import type { UseFormRegister } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { AdvancedSection } from "../../components/advanced-section";
import { TextField } from "../../components/text-field";
import type { ChannelFields } from "./channel-form";
import { type ChannelLimitFields, hasLimits, LIMITS_OF_ALL_KEYS, LIMITS_OF_EACH_KEY } from "./channel-limits";

interface ChannelLimitsSectionProps {
  initial: ChannelLimitFields;
  register: UseFormRegister<ChannelFields>;
  errorOf(name: keyof ChannelLimitFields): string | undefined;
}

/** What a channel's upstream may be asked: all keys together, and each of them. */
export const ChannelLimitsSection = ({ initial, register, errorOf }: ChannelLimitsSectionProps) => {
  const { t } = useTranslation();
  const inputs = (names: typeof LIMITS_OF_ALL_KEYS | typeof LIMITS_OF_EACH_KEY) => (
    <div className="grid gap-x-4 gap-y-5 wide:grid-cols-3">
      {names.map((name) => (
        <TextField
          key={name}
          label={t(`channelLimit.${name}`)}
          type="number"
          step={1}
          min={0}
          inputMode="numeric"
          placeholder={t("channelLimit.none")}
          error={errorOf(name)}
          {...register(`limits.${name}`)}
        />
      ))}
    </div>
  );
  return (
    <AdvancedSection
      title={t("channelLimit.title")}
      hint={t("channelLimit.hint")}
      isOpen={hasLimits(initial)}
    >
      {inputs(LIMITS_OF_ALL_KEYS)}
      <p className="text-xs text-ink-3">{t("channelLimit.keyHint")}</p>
      {inputs(LIMITS_OF_EACH_KEY)}
    </AdvancedSection>
  );
};
