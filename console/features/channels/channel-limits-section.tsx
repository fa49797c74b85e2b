import { useTranslation } from "react-i18next";
import { AdvancedSection } from "../../components/advanced-section";
import { WholeNumberField } from "../../components/text-field";
import type { FieldsForm } from "../../lib/use-fields";
import type { ChannelFields } from "./channel-form";
import {
  hasLimits,
  LIMITS_OF_ALL_KEYS,
  LIMITS_OF_EACH_KEY,
  OTHER_TIMES,
  TIMES_OF_STREAMS,
} from "./channel-limits";

interface SectionProps {
  form: FieldsForm<ChannelFields>;
}

/** Limits for requests to a channel's upstream: for all keys together, and for each key. */
export const ChannelLimitsSection = ({ form }: SectionProps) => {
  const { t } = useTranslation();
  const names = [...LIMITS_OF_ALL_KEYS, ...LIMITS_OF_EACH_KEY];
  const inputs = (shown: typeof LIMITS_OF_ALL_KEYS | typeof LIMITS_OF_EACH_KEY) => (
    <div className="grid gap-x-4 gap-y-5 wide:grid-cols-3">
      {shown.map((name) => (
        <WholeNumberField
          key={name}
          label={t(`channelLimit.${name}`)}
          min={0}
          placeholder={t("channelLimit.none")}
          error={form.errorOf(`limits.${name}`)}
          {...form.register(`limits.${name}`)}
        />
      ))}
    </div>
  );
  return (
    <AdvancedSection
      title={t("channelLimit.title")}
      hint={t("channelLimit.hint")}
      isOpen={hasLimits(form.before.limits, names)}
      hasMistake={names.some((name) => form.errors.limits?.[name])}
    >
      {inputs(LIMITS_OF_ALL_KEYS)}
      <p className="text-xs text-ink-3">{t("channelLimit.keyHint")}</p>
      {inputs(LIMITS_OF_EACH_KEY)}
    </AdvancedSection>
  );
};

/** Seconds that a channel's upstream may take. */
export const ChannelTimesSection = ({ form }: SectionProps) => {
  const { t } = useTranslation();
  const names = [...TIMES_OF_STREAMS, ...OTHER_TIMES];
  const inputs = (shown: typeof TIMES_OF_STREAMS | typeof OTHER_TIMES) => (
    <div className="grid gap-x-4 gap-y-5 wide:grid-cols-3">
      {shown.map((name) => (
        <WholeNumberField
          key={name}
          label={t(`channelTime.${name}`)}
          min={1}
          placeholder={t("channelTime.none")}
          error={form.errorOf(`limits.${name}`)}
          {...form.register(`limits.${name}`)}
        />
      ))}
    </div>
  );
  return (
    <AdvancedSection
      title={t("channelTime.title")}
      hint={t("channelTime.hint")}
      isOpen={hasLimits(form.before.limits, names)}
      hasMistake={names.some((name) => form.errors.limits?.[name])}
    >
      {inputs(TIMES_OF_STREAMS)}
      <p className="text-xs text-ink-3">{t("channelTime.otherHint")}</p>
      {inputs(OTHER_TIMES)}
    </AdvancedSection>
  );
};
