import { useTranslation } from "react-i18next";
import { AdvancedSection } from "../../components/advanced-section";
import { WholeNumberField } from "../../components/text-field";
import type { FieldsForm } from "../../lib/use-fields";
import type { ChannelFields } from "./channel-form";
import { hasLimits, LIMITS_OF_ALL_KEYS, LIMITS_OF_EACH_KEY } from "./channel-limits";

/** Limits for requests to a channel's upstream: for all keys together, and for each key. */
export const ChannelLimitsSection = ({ form }: { form: FieldsForm<ChannelFields> }) => {
  const { t } = useTranslation();
  const inputs = (names: typeof LIMITS_OF_ALL_KEYS | typeof LIMITS_OF_EACH_KEY) => (
    <div className="grid gap-x-4 gap-y-5 wide:grid-cols-3">
      {names.map((name) => (
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
      isOpen={hasLimits(form.before.limits)}
      hasMistake={form.errors.limits !== undefined}
    >
      {inputs(LIMITS_OF_ALL_KEYS)}
      <p className="text-xs text-ink-3">{t("channelLimit.keyHint")}</p>
      {inputs(LIMITS_OF_EACH_KEY)}
    </AdvancedSection>
  );
};
