import { useTranslation } from "react-i18next";
import type { BulkProgress } from "./bulk-run";
import type { BulkKind } from "./run-over-channels";

/** Progress of one run over all channels. */
const BulkProgressBar = ({ kind, done, total }: BulkProgress & { kind: BulkKind }) => {
  const { t } = useTranslation();
  return (
    <section className="rounded-md border border-line bg-surface px-3.5 py-2.5 text-sm">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span>{t(`channel.run.${kind}.going`)}</span>
        <span role="status" className="tabular-nums">
          {total > 0 && t(`channel.run.${kind}.progress`, { done, total })}
        </span>
      </div>
      <progress
        aria-label={t(`channel.run.${kind}.going`)}
        className="mt-1.5 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[inline-size]"
        value={done}
        max={Math.max(1, total)}
      />
      <p className="mt-1.5 text-sm text-ink-2">{t("channel.run.leave")}</p>
    </section>
  );
};

export default BulkProgressBar;
