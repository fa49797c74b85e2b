import { useQuery } from "@tanstack/react-query";
import { cancelRehearsal, startRehearsal } from "@tollgate/contract/api/price-drafts";
import type { PriceDraft, Rehearsal } from "@tollgate/contract/management/price-draft";
import { Play } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AdvancedSection } from "../../components/advanced-section";
import { Button } from "../../components/button";
import { DateTimeField } from "../../components/date-time-field";
import { Segmented } from "../../components/segmented";
import { formatCount, formatDate, parseDate } from "../../lib/format";
import { presetRange } from "../../lib/usage/usage-presets";
import { useEndpoint } from "../../lib/use-endpoint";
import { rehearsalQuery } from "./price-draft-queries";
import { RehearsalResultView } from "./rehearsal-result";

const RANGES = ["yesterday", "7", "30", "90", "own"] as const;
type Range = (typeof RANGES)[number];

const DAY_MS = 86_400_000;

const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000);

/** Runs a draft over past usage and shows the result. */
export const RehearsalCard = ({ draft }: { draft: PriceDraft }) => {
  const { t } = useTranslation();
  const { data: rehearsal } = useQuery(rehearsalQuery(draft.id));
  const params = { id: draft.id };
  const start = useEndpoint(startRehearsal, { repeatsAlways: true });
  const [range, setRange] = useState<Range>("30");
  const [own, setOwn] = useState(() => ({
    from: formatDate(new Date(Date.now() - 30 * DAY_MS)),
    to: formatDate(new Date()),
  }));
  const [isChecked, setChecked] = useState(false);
  const [asOf, setAsOf] = useState("");
  const moment = parseDate(asOf);
  const isMomentFaulty = asOf.trim() !== "" && !moment;
  const begin = parseDate(own.from);
  const end = parseDate(own.to);
  const isFaulty = !begin || !end || begin >= end;
  const isRunning = rehearsal?.state === "running";

  const run = (): void => {
    setChecked(true);
    if (isMomentFaulty) return;
    const prices = moment ? { as_of: secondsOf(moment) } : {};
    if (range === "own") {
      if (!isFaulty)
        start.mutate({ params, body: { from: secondsOf(begin), to: secondsOf(end), ...prices } });
      return;
    }
    if (range === "yesterday") {
      start.mutate({ params, body: { ...presetRange("yesterday", new Date()), ...prices } });
      return;
    }
    const to = secondsOf(new Date());
    start.mutate({ params, body: { from: to - Number(range) * 86_400, to, ...prices } });
  };

  return (
    <section aria-label={t("rehearsal.run")} className="flex flex-col gap-4">
      <div className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4 wide:p-6">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div className="min-w-0">
            <h2 className="font-semibold text-lg">{t("rehearsal.run")}</h2>
            <p className="mt-0.5 text-sm text-ink-2">{t("rehearsal.runText")}</p>
          </div>
          <div className="flex min-w-0 flex-wrap items-center gap-2">
            <Segmented
              label={t("rehearsal.range")}
              value={range}
              segments={RANGES.map((value) => ({ value, label: t(`rehearsal.ranges.${value}`) }))}
              onChange={setRange}
            />
            <Button variant="primary" disabled={isRunning} isBusy={start.isPending} onClick={run}>
              <Play aria-hidden className="size-3.5" />
              {t("rehearsal.start")}
            </Button>
          </div>
        </div>
        {range === "own" && (
          <div className="grid items-start gap-3 wide:grid-cols-2">
            <DateTimeField
              label={t("rehearsal.from")}
              value={own.from}
              error={isChecked && !begin ? t("rehearsal.timeInvalid") : undefined}
              onChange={(from) => setOwn({ ...own, from })}
            />
            <DateTimeField
              label={t("rehearsal.to")}
              value={own.to}
              error={isChecked && isFaulty ? t("rehearsal.timeInvalid") : undefined}
              onChange={(to) => setOwn({ ...own, to })}
            />
          </div>
        )}
        <AdvancedSection
          title={t("rehearsal.asOf")}
          hint={t("rehearsal.asOfText")}
          isOpen={rehearsal?.result?.as_of !== undefined}
        >
          <div className="max-w-72">
            <DateTimeField
              label={t("rehearsal.asOfTime")}
              value={asOf}
              error={isChecked && isMomentFaulty ? t("rehearsal.momentInvalid") : undefined}
              onChange={setAsOf}
            />
          </div>
        </AdvancedSection>
        {rehearsal && <RehearsalState id={draft.id} rehearsal={rehearsal} />}
      </div>
      {rehearsal?.result && <RehearsalResultView draft={draft} result={rehearsal.result} />}
    </section>
  );
};

/** The progress of a rehearsal, or the reason for a missing result. */
const RehearsalState = ({ id, rehearsal }: { id: number; rehearsal: Rehearsal }) => {
  const { t } = useTranslation();
  const { state, reason } = rehearsal;
  if (state === "running") return <Progress id={id} rehearsal={rehearsal} />;
  if (state === "cancelled") return <p className="text-ink-2">{t("rehearsal.cancelled")}</p>;
  if (state !== "failed") return null;
  return (
    <p role="alert" className="text-red">
      {t(
        reason === "interrupted"
          ? "rehearsal.interrupted"
          : reason === "rehearsal-log-changes"
            ? "rehearsal.logChanges"
            : "rehearsal.failed",
      )}
    </p>
  );
};

const Progress = ({ id, rehearsal: { lines, total } }: { id: number; rehearsal: Rehearsal }) => {
  const { t } = useTranslation();
  const cancel = useEndpoint(cancelRehearsal, { repeatsAlways: true });
  const share = total === 0 ? 0 : Math.min(1, lines / total);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div
        role="progressbar"
        aria-label={t("rehearsal.progress")}
        aria-valuenow={Math.round(share * 100)}
        className="h-1.5 min-w-40 flex-1 overflow-hidden rounded-full bg-sunken"
      >
        <div
          className="h-full rounded-full bg-accent transition-[width]"
          style={{ width: `${Math.max(2, share * 100)}%` }}
        />
      </div>
      <span className="text-sm text-ink-2 tabular-nums">
        {t("rehearsal.read", { lines: formatCount(lines) })}
      </span>
      <Button size="small" isBusy={cancel.isPending} onClick={() => cancel.mutate({ params: { id } })}>
        {t("action.cancel")}
      </Button>
    </div>
  );
};
