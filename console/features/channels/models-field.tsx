import { useQuery } from "@tanstack/react-query";
import { fetchModels } from "@tollgate/contract/api/channel-upstream";
import { splitList } from "@tollgate/contract/values/split-list";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { ChoicesField } from "../../components/choices-field";
import { modelsQuery } from "../../lib/known-models";
import { useEndpoint } from "../../lib/use-endpoint";
import { isBasicModel, type toFetchBody } from "./channel-form";
import { UpstreamModels } from "./upstream-models";

interface ModelsFieldProps {
  value: string[];
  onChange: (models: string[]) => void;
  error?: string;
  /** The current JSON text of the model mapping. */
  mapping: () => string;
  /** The request to the upstream, from the form's current state. */
  asked: () => ReturnType<typeof toFetchBody>;
}

/** The models of a channel: chosen from the known ones, filled in by a button, read from the upstream, or typed. */
export const ModelsField = ({ value, onChange, error, mapping, asked }: ModelsFieldProps) => {
  const { t } = useTranslation();
  // The failure is shown beside the button.
  const upstream = useEndpoint(fetchModels, { isSilent: true });
  const { data: known = [] } = useQuery(modelsQuery);
  const [custom, setCustom] = useState("");
  const add = (models: string[]) => onChange([...new Set([...value, ...models])]);

  const addCustom = () => {
    add(splitList(custom));
    setCustom("");
  };

  return (
    <div className="flex flex-col gap-2">
      <ChoicesField
        label={t("field.models")}
        isRequired
        error={error}
        aside={
          value.length > 0 && (
            <span className="text-sm text-ink-3">{t("channelForm.modelCount", { count: value.length })}</span>
          )
        }
        value={value}
        options={known}
        onChange={onChange}
        placeholder={t("channelForm.modelsPlaceholder")}
      />
      <div className="flex flex-wrap items-center gap-1.5">
        <Button size="small" onClick={() => add(known.filter(isBasicModel))}>
          {t("channelForm.fillBasic")}
        </Button>
        <Button size="small" onClick={() => add(known)}>
          {t("channelForm.fillAll")}
        </Button>
        <Button size="small" onClick={() => onChange([])}>
          {t("channelForm.clearModels")}
        </Button>
        <Button size="small" isBusy={upstream.isPending} onClick={() => upstream.mutate({ body: asked() })}>
          {t("channelForm.fetchModels")}
        </Button>
        <div className="flex w-full gap-1.5 wide:ms-auto wide:w-auto wide:min-w-48 wide:max-w-64 wide:flex-1">
          <input
            className="control h-control-small text-sm"
            aria-label={t("channelForm.customModel")}
            placeholder={t("channelForm.customModelPlaceholder")}
            value={custom}
            onChange={(event) => setCustom(event.target.value)}
            onKeyDown={(event) => {
              // Enter triggers this field's button and not the form's. An input method's Enter triggers neither.
              if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
              event.preventDefault();
              addCustom();
            }}
          />
          <Button size="small" disabled={custom.trim() === ""} onClick={addCustom}>
            {t("channelForm.addCustom")}
          </Button>
        </div>
      </div>
      <UpstreamModels
        values={value}
        onChange={onChange}
        mapping={mapping}
        fetched={upstream.data}
        error={upstream.error}
      />
    </div>
  );
};
