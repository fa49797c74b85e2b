import type { FetchedModels } from "@tollgate/contract/api/channel-upstream";
import { modelChanges } from "@tollgate/contract/management/model-changes";
import { parseModelMapping } from "@tollgate/contract/management/model-mapping";
import { Minus, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { failureText } from "../../lib/failure-text";

interface UpstreamModelsProps {
  values: string[];
  onChange: (models: string[]) => void;
  /** The current JSON text of the model mapping. */
  mapping: () => string;
  /** The upstream's answer; undefined if not queried or failed. */
  fetched: FetchedModels | undefined;
  /** The reason of the failure. */
  error: Error | null;
}

/** New and removed models of an upstream, to be applied one by one or all at once. */
export const UpstreamModels = ({ values, onChange, mapping, fetched, error }: UpstreamModelsProps) => {
  const { t } = useTranslation();
  const changes =
    fetched && modelChanges(values, parseModelMapping(mapping()) ?? {}, fetched.models, fetched.ignored);
  const without = (models: readonly string[]) => values.filter((value) => !models.includes(value));
  return (
    <>
      {/* Always rendered, or its content would not be announced; empty, it takes no room between its neighbours. */}
      <p role="status" className="text-sm text-ink-2 empty:-mt-2">
        {error && <span className="text-red">{failureText(error)}</span>}
        {changes &&
          t("channelForm.fetchedModels", {
            count: fetched.models.length,
            added: changes.added.length,
            gone: changes.gone.length,
          })}
      </p>
      {changes && (
        <>
          <ModelPicks
            label={t("channelForm.newModels")}
            all={t("channelForm.addNewModels", { count: changes.added.length })}
            models={changes.added}
            isAdding
            onPick={(models) => onChange([...new Set([...values, ...models])])}
          />
          <ModelPicks
            label={t("channelForm.goneModels")}
            all={t("channelForm.removeGoneModels", { count: changes.gone.length })}
            models={changes.gone}
            onPick={(models) => onChange(without(models))}
          />
        </>
      )}
    </>
  );
};

interface ModelPicksProps {
  label: string;
  /** Label of the button for all models. */
  all: string;
  models: readonly string[];
  isAdding?: boolean;
  onPick: (models: readonly string[]) => void;
}

/** From this number on, a search box filters them. */
const MANY = 20;

/** Models with a button each, and one for all. */
const ModelPicks = ({ label, all, models, isAdding, onPick }: ModelPicksProps) => {
  const { t } = useTranslation();
  const [keyword, setKeyword] = useState("");
  if (models.length === 0) return null;
  const shown = models.filter((model) => model.toLowerCase().includes(keyword.trim().toLowerCase()));
  const Sign = isAdding ? Plus : Minus;
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5 rounded-md border border-line p-2">
      <legend className="px-1 text-sm text-ink-2">{label}</legend>
      <div className="flex flex-wrap gap-1.5">
        <Button size="small" onClick={() => onPick(shown)} disabled={shown.length === 0}>
          {shown.length === models.length ? all : t("channelForm.takeShown", { count: shown.length })}
        </Button>
        {models.length > MANY && (
          <input
            type="search"
            className="control h-control-small w-full text-sm wide:w-56"
            aria-label={t("channelForm.narrow", { label })}
            placeholder={t("action.search")}
            value={keyword}
            onChange={(event) => setKeyword(event.target.value)}
            onKeyDown={(event) => {
              // Enter must not submit the form here.
              if (event.key === "Enter") event.preventDefault();
            }}
          />
        )}
      </div>
      <ul className="flex max-h-44 flex-wrap gap-1 overflow-y-auto">
        {shown.map((model) => (
          <li key={model} className="min-w-0 max-w-full">
            <Button size="small" variant="quiet" className="max-w-full" onClick={() => onPick([model])}>
              <Sign aria-hidden className="size-3.5 shrink-0" />
              <span className="truncate">{model}</span>
            </Button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
};
