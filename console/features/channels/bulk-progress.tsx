import { useTranslation } from "react-i18next";
import type { BulkKind } from "./run-over-channels";
import { useBulkRun } from "./use-bulk-run";

/** How far the runs over all channels are; nothing while there are none. */
export const BulkProgressBars = () => (
  <>
    <Bar kind="test" />
    <Bar kind="balance" />
  </>
);

const Bar = ({ kind }: { kind: BulkKind }) => {
  const { t } = useTranslation();
  const { progress } = useBulkRun(kind);
  if (!progress) return null;
  const { done, total } = progress;
  return (
    <section className="rounded-md border border-line bg-surface px-3.5 py-2.5 text-[13.5px]">
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
      <p className="mt-1.5 text-[13px] text-ink-2">{t("channel.run.leave")}</p>
    </section>
  );
};
