import type { UseFormRegister } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { AdvancedSection } from "../../components/advanced-section";
import { TextField } from "../../components/text-field";
import type { ChannelFields } from "./channel-form";
import { CHANNEL_LIMITS, type ChannelLimitFields, hasLimits, KEY_LIMITS } from "./channel-limits";

interface ChannelLimitsSectionProps {
  initial: ChannelLimitFields;
  register: UseFormRegister<ChannelFields>;
  errorOf(name: keyof ChannelLimitFields): string | undefined;
}

/** What a channel's upstream may be asked: all keys together, and each of them. */
export const ChannelLimitsSection = ({ initial, register, errorOf }: ChannelLimitsSectionProps) => {
  const { t } = useTranslation();
  const inputs = (names: typeof CHANNEL_LIMITS | typeof KEY_LIMITS) => (
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
      {inputs(CHANNEL_LIMITS)}
      <p className="text-xs text-ink-3">{t("channelLimit.keyHint")}</p>
      {inputs(KEY_LIMITS)}
    </AdvancedSection>
  );
};
