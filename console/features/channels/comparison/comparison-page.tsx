import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Channel, listChannels } from "@tollgate/contract/api/channels";
import { CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";
import { Unplug } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AdminsOnly } from "../../../components/admins-only";
import { Button, buttonVariants } from "../../../components/button";
import { ConfirmButton } from "../../../components/confirm-button";
import { EmptyState } from "../../../components/empty-state";
import { FailedState } from "../../../components/failed-state";
import { PageFrame, Panel } from "../../../components/page-frame";
import { Segmented } from "../../../components/segmented";
import { useSession } from "../../../lib/session";
import { readAllChannels } from "../channel-queries";
import { ComparedChannel } from "./compared-channel";
import { type ChannelComparison, type Comparison, useComparison } from "./use-comparison";

/** /channel/comparison: the models of all enabled channels beside those of their upstreams. */
export const ComparisonPage = () => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("channels");
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: [listChannels.reads, "all enabled"],
    queryFn: () => readAllChannels(client),
    enabled: isAdmin,
    select: (channels) => channels.filter(({ status }) => status === CHANNEL_ENABLED),
  });
  if (!isAdmin)
    return (
      <PageFrame title={t("comparison.title")}>
        <Panel>
          <AdminsOnly title={t("comparison.forAdmins")} />
        </Panel>
      </PageFrame>
    );
  if (data && data.length > 0) return <Channels channels={data} />;
  return (
    <PageFrame title={t("comparison.title")} description={t("comparison.text")}>
      <section className="rounded-lg border border-line bg-surface" aria-busy={!data && !error}>
        {error && <FailedState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <div className="skeleton h-64 w-full" />}
        {data && (
          <EmptyState icon={<Unplug />} title={t("comparison.none")}>
            <Link to="/channel/add" className={buttonVariants({ variant: "primary" })}>
              {t("comparison.add")}
            </Link>
          </EmptyState>
        )}
      </section>
    </PageFrame>
  );
};

const SHOWN = ["every", "different", "failed"] as const;
type Shown = (typeof SHOWN)[number];

/** Whether a channel belongs to what is shown. */
const isShown = (shown: Shown, result: Comparison | undefined): boolean => {
  if (shown === "every") return true;
  if (shown === "failed") return result?.state === "failed";
  if (result?.state === "applied" || result?.state === "saving") return true;
  return result?.state === "compared" && result.changes.added.length + result.changes.gone.length > 0;
};

const Channels = ({ channels }: { channels: readonly Channel[] }) => {
  const { t } = useTranslation();
  const [shown, setShown] = useState<Shown>("every");
  const comparison = useComparison(channels);
  const { results, isRunning } = comparison;
  const countOf = (of: Shown): number =>
    channels.filter(({ id }) => isShown(of, comparison.resultOf(id))).length;
  const finished = [...results.values()].filter(
    ({ state }) => state === "compared" || state === "failed" || state === "applied",
  ).length;
  return (
    <PageFrame
      title={t("comparison.title")}
      description={t("comparison.text")}
      aside={
        <div className="flex flex-wrap items-center gap-2">
          {isRunning && (
            <>
              <span role="status" className="text-sm text-ink-2 tabular-nums">
                {t("comparison.progress", { done: finished, total: results.size })}
              </span>
              <Button onClick={comparison.stop}>{t("comparison.stop")}</Button>
            </>
          )}
          <Button variant="primary" isBusy={isRunning} onClick={comparison.start}>
            {t(results.size > 0 ? "comparison.again" : "comparison.start", { count: channels.length })}
          </Button>
        </div>
      }
    >
      {results.size > 0 && (
        <Segmented
          label={t("comparison.shown.label")}
          value={shown}
          segments={SHOWN.map((value) => ({
            value,
            label: t(`comparison.shown.${value}`, { count: countOf(value) }),
          }))}
          onChange={setShown}
          className="self-start"
        />
      )}
      <PickBar comparison={comparison} />
      <ul aria-label={t("comparison.title")} className="rounded-lg border border-line bg-surface">
        {channels
          .filter(({ id }) => isShown(shown, comparison.resultOf(id)))
          .map((channel) => (
            <ComparedChannel key={channel.id} channel={channel} comparison={comparison} />
          ))}
      </ul>
      {results.size > 0 && countOf(shown) === 0 && (
        <p className="text-sm text-ink-2">{t(`comparison.empty.${shown}`)}</p>
      )}
    </PageFrame>
  );
};

/** What is picked, and the buttons that pick and apply; empty before a comparison. */
const PickBar = ({ comparison }: { comparison: ChannelComparison }) => {
  const { t } = useTranslation();
  const { results, picks, isRunning } = comparison;
  const compared = [...results.values()].filter((result) => result.state === "compared");
  if (isRunning || compared.length === 0) return null;
  const sum = { added: 0, gone: 0, channels: 0 };
  for (const { added, gone } of picks.values()) {
    sum.added += added.size;
    sum.gone += gone.size;
    sum.channels += added.size + gone.size > 0 ? 1 : 0;
  }
  return (
    <section
      aria-label={t("comparison.picked")}
      className="sticky top-header z-[11] flex flex-wrap items-center gap-2 rounded-lg border border-accent/40 bg-accent-soft px-3 py-2"
    >
      <span className="me-2 min-w-0 break-words font-medium text-sm">{t("comparison.sum", sum)}</span>
      <Button size="small" onClick={() => comparison.pickAll("added")}>
        {t("comparison.pickAdded")}
      </Button>
      <Button size="small" onClick={() => comparison.pickAll("gone")}>
        {t("comparison.pickGone")}
      </Button>
      <ConfirmButton
        size="small"
        variant="primary"
        disabled={sum.channels === 0}
        isHarmless={sum.gone === 0}
        question={t("comparison.question", { count: sum.channels })}
        consequence={t("comparison.consequence", sum)}
        confirm={t("comparison.apply", { count: sum.channels })}
        onConfirm={async () => comparison.apply()}
      >
        {t("comparison.apply", { count: sum.channels })}
      </ConfirmButton>
    </section>
  );
};
