import { useTranslation } from "react-i18next";
import { AdvancedSection } from "../../components/advanced-section";
import { LazyBoundary } from "../../components/lazy-boundary";
import { Segmented } from "../../components/segmented";
import {
  NO_OVERRIDES,
  type OverrideFields,
  type OverrideMistake,
  showAsForm,
  showAsJson,
} from "./override-fields";

// Loaded with the first opened section: few channels change their requests.
const loadInputs = () => import("./override-inputs");

interface OverridesSectionProps {
  value: OverrideFields;
  onChange: (value: OverrideFields) => void;
  /** Set after an attempt to save. */
  mistake: OverrideMistake | undefined;
  /** The server's message, shown unless the console finds the mistake itself. */
  refusal: string | undefined;
  isOpen: boolean;
}

/** A channel's changes to its requests: collapsed until one is set. */
export const OverridesSection = ({ value, onChange, mistake, refusal, isOpen }: OverridesSectionProps) => {
  const { t } = useTranslation();
  const errorOf = (part: OverrideMistake["part"]): string | undefined => {
    if (!mistake) return part === "headers" || part === "json" ? refusal : undefined;
    if (mistake.part !== part) return undefined;
    const text = t(`channelOverrides.fault.${mistake.code}`, { field: mistake.at });
    const { position } = mistake;
    return position ? `${text}\n${t("json.mistakeAt", { ...position })}` : text;
  };
  const { json } = value;
  const other = json === undefined ? showAsJson(value) : showAsForm(json);
  const unshown = other
    ? undefined
    : t(json === undefined ? "channelOverrides.noJson" : "channelOverrides.noForm");
  return (
    <AdvancedSection
      title={t("channelOverrides.title")}
      hint={t("channelOverrides.hint")}
      isOpen={isOpen}
      hasMistake={refusal !== undefined}
    >
      <Segmented
        className="w-fit"
        label={t("channelOverrides.view")}
        value={json === undefined ? "form" : "json"}
        segments={[
          {
            value: "form",
            label: t("channelOverrides.asForm"),
            refusal: json === undefined ? undefined : unshown,
          },
          {
            value: "json",
            label: t("channelOverrides.asJson"),
            refusal: json === undefined ? unshown : undefined,
          },
        ]}
        onChange={() => other && onChange(other)}
      />
      {unshown && <p className="text-ink-2 text-sm">{unshown}</p>}
      <LazyBoundary load={loadInputs} with={{ value, onChange, errorOf }} />
    </AdvancedSection>
  );
};

/** Whether a channel overrides anything. */
export const hasOverrides = (fields: OverrideFields): boolean =>
  JSON.stringify(fields) !== JSON.stringify(NO_OVERRIDES);
