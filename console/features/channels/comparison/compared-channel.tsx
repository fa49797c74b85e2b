import type { Channel } from "@tollgate/contract/api/channels";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { RecordLink } from "../../../components/record-link";
import { ChannelType } from "../channel-cells";
import type { ChannelComparison, Comparison, Side } from "./use-comparison";

interface ComparedChannelProps {
  channel: Channel;
  comparison: ChannelComparison;
}

/** A channel, what its upstream offers otherwise, and a checkbox for each difference. */
export const ComparedChannel = ({ channel, comparison }: ComparedChannelProps) => {
  const { t } = useTranslation();
  const result = comparison.resultOf(channel.id);
  const sideOf = (side: Side) =>
    result?.state === "compared" &&
    result.changes[side].length > 0 && (
      <Differences
        label={t(`comparison.${side}`)}
        models={result.changes[side]}
        picked={comparison.picksOf(channel.id)[side]}
        isDisabled={comparison.isRunning}
        onPick={(models, isPicked) => comparison.pick(channel.id, side, models, isPicked)}
      />
    );
  return (
    <li className="border-line border-t px-4 py-3 first:border-t-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="min-w-0 break-words font-medium">
          <RecordLink kind="channel" id={channel.id}>
            {channel.name || `#${channel.id}`}
          </RecordLink>
        </span>
        <span className="text-sm text-ink-2">
          <ChannelType type={channel.type} />
        </span>
        <span className="ms-auto min-w-0 break-words text-sm text-ink-2 tabular-nums">
          <ResultText result={result} count={channel.models.length} />
        </span>
      </div>
      {sideOf("added")}
      {sideOf("gone")}
    </li>
  );
};

/** @param count how many models the channel has */
const ResultText = ({ result, count }: { result: Comparison | undefined; count: number }) => {
  const { t } = useTranslation();
  if (!result) return t("comparison.has", { count });
  switch (result.state) {
    case "failed":
      return <span className="text-red">{result.reason}</span>;
    case "compared": {
      const { added, gone } = result.changes;
      return added.length + gone.length === 0
        ? t("comparison.same", { count })
        : t("comparison.differs", { count: result.count, added: added.length, gone: gone.length });
    }
    case "applied":
      return <span className="text-green">{t("comparison.applied", { ...result })}</span>;
    default:
      return t(`comparison.${result.state}`);
  }
};

/** From this number on, a search box filters them. */
const MANY = 20;

interface DifferencesProps {
  label: string;
  models: readonly string[];
  picked: ReadonlySet<string>;
  isDisabled: boolean;
  onPick: (models: readonly string[], isPicked: boolean) => void;
}

const Differences = ({ label, models, picked, isDisabled, onPick }: DifferencesProps) => {
  const { t } = useTranslation();
  const [keyword, setKeyword] = useState("");
  const shown = models.filter((model) => model.toLowerCase().includes(keyword.trim().toLowerCase()));
  const count = shown.filter((model) => picked.has(model)).length;
  return (
    <fieldset
      className="mt-2 flex min-w-0 flex-col gap-1.5 rounded-md border border-line p-2"
      disabled={isDisabled}
    >
      <legend className="px-1 text-sm text-ink-2">{label}</legend>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <label className="touch flex items-center gap-2 px-1 text-sm">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={count > 0 && count === shown.length}
            ref={(box) => {
              if (box) box.indeterminate = count > 0 && count < shown.length;
            }}
            onChange={({ target }) => onPick(shown, target.checked)}
          />
          {t("comparison.all", { count: shown.length })}
        </label>
        {models.length > MANY && (
          <input
            type="search"
            className="control h-control-small w-full text-sm wide:w-56"
            aria-label={t("comparison.narrow", { label })}
            placeholder={t("action.search")}
            value={keyword}
            onChange={(event) => setKeyword(event.target.value)}
          />
        )}
      </div>
      <ul className="grid max-h-56 grid-cols-1 gap-x-4 overflow-y-auto wide:grid-cols-3">
        {shown.map((model) => (
          <li key={model} className="min-w-0">
            <label className="touch flex min-w-0 items-center gap-2 px-1 py-0.5 text-sm">
              <input
                type="checkbox"
                className="size-4 shrink-0 accent-accent"
                checked={picked.has(model)}
                onChange={({ target }) => onPick([model], target.checked)}
              />
              <span className="truncate" title={model}>
                {model}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
};
