import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ModelStatus, StatusPeriod } from "@tollgate/contract/api/model-status";
import { clsx } from "clsx";
import { Activity, Lock, SearchX } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { StateMark, TONE_TEXT, type Tone } from "../../components/badge";
import { buttonVariants } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { PageFrame, Panel } from "../../components/page-frame";
import { PanelLoading } from "../../components/panel-loading";
import { SearchField } from "../../components/search-field";
import { Segmented } from "../../components/segmented";
import { formatTime } from "../../lib/format";
import { useSession } from "../../lib/session";
import { useStatus } from "../../lib/status";
import { modelStatusQuery } from "./model-status-query";

const SPANS = ["day", "week", "month"] as const;
type Span = (typeof SPANS)[number];

/** From which share on a model is well, and from which on it is only shaky. */
const WELL = 0.99;
const SHAKY = 0.9;

const toneOf = (success: number | null | undefined): Tone => {
  if (success === null || success === undefined) return "grey";
  if (success >= WELL) return "green";
  return success >= SHAKY ? "yellow" : "red";
};

const BAR: Record<Tone, string> = {
  green: "bg-green",
  olive: "bg-olive",
  yellow: "bg-yellow",
  red: "bg-red",
  grey: "bg-line-strong/60",
};

const percent = (share: number): string => `${(share * 100).toFixed(share === 1 || share === 0 ? 0 : 1)}%`;

const WEEK_DAYS = 7;

const barsOf = ({ hours, days }: ModelStatus, span: Span): (number | null)[] => {
  if (span === "day") return hours;
  return span === "week" ? days.slice(-WEEK_DAYS) : days;
};

/** /status: how models were served, from real requests. */
export const ModelStatusPage = () => {
  const { t } = useTranslation();
  const { user } = useSession();
  const shown = useStatus()?.model_status;
  if (shown === "public" || (shown === "signed-in" && user)) return <Models />;
  const isForUsers = shown === "signed-in";
  return (
    <PageFrame title={t("modelStatus.title")}>
      <Panel>
        <EmptyState icon={<Lock />} title={t(isForUsers ? "modelStatus.signInFirst" : "modelStatus.off")}>
          {isForUsers && (
            <Link to="/login" className={buttonVariants({ variant: "primary" })}>
              {t("nav.login")}
            </Link>
          )}
        </EmptyState>
      </Panel>
    </PageFrame>
  );
};

const Models = () => {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(modelStatusQuery);
  const [span, setSpan] = useState<Span>("day");
  const [keyword, setKeyword] = useState("");
  const wanted = keyword.trim().toLowerCase();
  const models = (data?.models ?? []).filter(({ model }) => model.toLowerCase().includes(wanted));
  return (
    <PageFrame
      title={t("modelStatus.title")}
      description={t("modelStatus.description")}
      aside={<SearchField keyword={keyword} placeholder={t("modelStatus.search")} onSearch={setKeyword} />}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Segmented
          label={t("modelStatus.span")}
          value={span}
          segments={SPANS.map((value) => ({ value, label: t(`modelStatus.spans.${value}`) }))}
          onChange={setSpan}
        />
        {data && <Summary models={data.models} span={span} updatedAt={data.updated_at} />}
      </div>
      {data ? (
        <>
          <section aria-label={t("modelStatus.title")} className="rounded-lg border border-line bg-surface">
            {models.length === 0 && (
              <EmptyState
                icon={wanted === "" ? <Activity /> : <SearchX />}
                title={wanted === "" ? t("modelStatus.empty") : t("table.noMatch", { keyword })}
                text={wanted === "" ? t("modelStatus.emptyText") : undefined}
              />
            )}
            <ul>
              {models.map((model) => (
                <ModelRow key={model.model} model={model} span={span} />
              ))}
            </ul>
          </section>
          <p className="max-w-3xl text-sm text-ink-3">{t("modelStatus.meaning")}</p>
        </>
      ) : (
        <PanelLoading error={error} onRetry={() => void refetch()} />
      )}
    </PageFrame>
  );
};

const Summary = ({
  models,
  span,
  updatedAt,
}: {
  models: readonly ModelStatus[];
  span: Span;
  updatedAt: number;
}) => {
  const { t } = useTranslation();
  const count = (tone: Tone) => models.filter((model) => toneOf(model[span].success) === tone).length;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-2">
      <StateMark tone="green">{t("modelStatus.well", { count: count("green") })}</StateMark>
      <StateMark tone="yellow">{t("modelStatus.shaky", { count: count("yellow") })}</StateMark>
      <StateMark tone="red">{t("modelStatus.ill", { count: count("red") })}</StateMark>
      <span className="text-ink-3 tabular-nums">
        {t("modelStatus.updated", { time: formatTime(updatedAt) })}
      </span>
    </div>
  );
};

const ModelRow = ({ model, span }: { model: ModelStatus; span: Span }) => {
  const { t } = useTranslation();
  const bars = barsOf(model, span);
  const period: StatusPeriod = model[span];
  const tone = toneOf(period.success);
  const label = (share: number | null, index: number): string => {
    const ago = bars.length - 1 - index;
    const time = t(span === "day" ? "modelStatus.hoursAgo" : "modelStatus.daysAgo", { count: ago });
    return `${time}: ${share === null ? t("modelStatus.few") : percent(share)}`;
  };
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-line border-b px-4 py-3 last:border-b-0 wide:grid-cols-[minmax(0,15rem)_minmax(0,1fr)_5rem_6rem]">
      <span className="min-w-0 break-all font-medium text-sm">{model.model}</span>
      <span
        className={clsx(
          "text-end text-sm tabular-nums wide:order-3",
          TONE_TEXT[tone],
          tone !== "grey" && "font-medium",
        )}
      >
        {period.success === undefined ? t("modelStatus.few") : percent(period.success)}
      </span>
      <span
        role="img"
        aria-label={t("modelStatus.bars", {
          model: model.model,
          text: bars.map((share) => (share === null ? t("modelStatus.few") : percent(share))).join(", "),
        })}
        className="col-span-2 flex h-7 min-w-0 items-stretch gap-[3px] wide:order-2 wide:col-span-1"
      >
        {bars.map((share, index) => (
          <span
            // Bars are told apart by their place alone.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={index}
            title={label(share, index)}
            className={clsx("min-w-0 flex-1 rounded-[2px]", BAR[toneOf(share)])}
          />
        ))}
      </span>
      <span className="col-span-2 text-sm text-ink-2 tabular-nums wide:order-4 wide:col-span-1 wide:text-end">
        <span className="wide:hidden">{t("modelStatus.firstByte")} </span>
        {period.first_byte_ms === undefined
          ? t("modelStatus.none")
          : t("modelStatus.seconds", { seconds: (period.first_byte_ms / 1000).toFixed(2) })}
      </span>
    </li>
  );
};
