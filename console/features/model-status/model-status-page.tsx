import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ModelStatus } from "@tollgate/contract/api/model-status";
import { Activity, Lock, SearchX } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { StateMark, type Tone } from "../../components/badge";
import { Button, buttonVariants } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { PageFrame, Panel } from "../../components/page-frame";
import { PanelLoading } from "../../components/panel-loading";
import { RecordLink } from "../../components/record-link";
import { SearchField } from "../../components/search-field";
import { Segmented } from "../../components/segmented";
import { ServedModels } from "../../components/served-models";
import { formatTime } from "../../lib/format";
import { useSession } from "../../lib/session";
import { useStatus } from "../../lib/status";
import { lastDays } from "../../lib/usage/last-days";
import { STATUS_SPANS, type StatusSpan } from "./bar-lines";
import { modelStatusQuery } from "./model-status-query";
import { StatusBars, StatusHead, StatusLegend, statusTone } from "./status-bars";

/** /status: service quality of models, from real requests. */
export const ModelStatusPage = () => {
  const { t } = useTranslation();
  const { user } = useSession();
  const shown = useStatus()?.model_status;
  if (shown === "public" || (shown === "signed-in" && user)) return <Models />;
  const isForUsers = shown === "signed-in";
  return (
    <PageFrame title={t("modelStatus.title")}>
      <Panel>
        <EmptyState
          icon={<Lock />}
          title={t(isForUsers ? "modelStatus.signInFirst" : "modelStatus.off")}
          text={t(isForUsers ? "modelStatus.signInText" : "modelStatus.offText")}
        >
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

/** Days of the check of served models, for administrators. */
const SERVED_DAYS = 30;
const NO_FILTER = {};

const Models = () => {
  const { t } = useTranslation();
  const { user, isAdmin } = useSession("usage");
  // Guests see the page of a model where they see its price.
  const hasPages = useStatus()?.price_page === "public" || user !== undefined;
  const { data, error, refetch } = useQuery(modelStatusQuery);
  const [served] = useState(() => lastDays(SERVED_DAYS, Date.now()));
  const [span, setSpan] = useState<StatusSpan>("day");
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
          segments={STATUS_SPANS.map((value) => ({ value, label: t(`modelStatus.spans.${value}`) }))}
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
              >
                {wanted !== "" && <Button onClick={() => setKeyword("")}>{t("action.clearSearch")}</Button>}
              </EmptyState>
            )}
            {models.length > 0 && (
              <StatusHead label={t("modelStatus.model")} course={t(`modelStatus.courses.${span}`)} />
            )}
            <ul>
              {models.map((model) => (
                <StatusBars
                  key={model.model}
                  model={model}
                  span={span}
                  updatedAt={data.updated_at}
                  label={hasPages ? <RecordLink kind="model" id={model.model} /> : model.model}
                />
              ))}
            </ul>
          </section>
          <StatusLegend />
          <p className="max-w-3xl text-sm text-ink-3">{t("modelStatus.meaning")}</p>
          {isAdmin && <ServedModels range={served} days={SERVED_DAYS} filter={NO_FILTER} />}
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
  span: StatusSpan;
  updatedAt: number;
}) => {
  const { t } = useTranslation();
  const count = (tone: Tone) => models.filter((model) => statusTone(model[span].success) === tone).length;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-2">
      <StateMark tone="green">{t("modelStatus.well", { count: count("green") })}</StateMark>
      <StateMark tone="yellow">{t("modelStatus.shaky", { count: count("yellow") })}</StateMark>
      <StateMark tone="red">{t("modelStatus.ill", { count: count("red") })}</StateMark>
      {count("grey") > 0 && (
        <StateMark tone="grey">{t("modelStatus.noData", { count: count("grey") })}</StateMark>
      )}
      <span className="text-ink-3 tabular-nums">
        {t("modelStatus.updated", { time: formatTime(updatedAt) })}
      </span>
    </div>
  );
};
