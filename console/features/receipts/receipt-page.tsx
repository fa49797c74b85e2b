import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { Receipt } from "@tollgate/contract/api/receipts";
import { ArrowLeft, ChevronDown, ChevronUp, ReceiptText } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge";
import { Button, buttonVariants } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { FailedState } from "../../components/failed-state";
import { KeyLink } from "../../components/key-link";
import { LazyBoundary } from "../../components/lazy-boundary";
import { PageFrame, Panel } from "../../components/page-frame";
import { RecordLink } from "../../components/record-link";
import { copyOrShow } from "../../lib/copy";
import { formatQuota, formatTime } from "../../lib/format";
import { formatDuration } from "../../lib/format-measure";
import { useSession } from "../../lib/session";
import { neighboursOf } from "../../lib/use-list-rows";
import { useReportable } from "../../lib/use-reportable";
import { AttemptTimeline } from "./attempt-timeline";
import { CostBreakdown } from "./cost-breakdown";
import { FindReceipt } from "./find-receipt";
import { FoldedBody } from "./folded-body";
import { endOf, endTone } from "./outcomes";
import { receiptQuery } from "./receipt-queries";

/** /log/receipt/{request id}: explains the route and the cost of one request. */
export const ReceiptPage = () => {
  const { t } = useTranslation();
  const requestId = String(useParams({ strict: false }).requestId ?? "");
  const { previous, next } = neighboursOf("receipts", requestId);
  return (
    <div className="mx-auto w-full max-w-document">
      <PageFrame
        title={t("receipt.title")}
        description={<span className="break-all font-mono text-sm">{requestId}</span>}
        aside={
          <div className="flex flex-wrap gap-2">
            <Step
              to={previous}
              label={t("receipt.previous")}
              icon={<ChevronUp aria-hidden className="size-3.5" />}
            />
            <Step
              to={next}
              label={t("receipt.next")}
              icon={<ChevronDown aria-hidden className="size-3.5" />}
            />
            <Link to="/log" className={buttonVariants({ variant: "quiet" })}>
              <ArrowLeft aria-hidden className="size-3.5" />
              {t("receipt.toLog")}
            </Link>
          </div>
        }
      >
        <ReceiptOf key={requestId} requestId={requestId} isPage />
      </PageFrame>
    </div>
  );
};

interface StepProps {
  to: string | undefined;
  label: string;
  icon: ReactNode;
}

/** Link to the receipt of a neighbouring line in the list. */
const Step = ({ to: requestId, label, icon }: StepProps) =>
  requestId !== undefined && (
    <Link
      to="/log/receipt/$requestId"
      params={{ requestId }}
      className={buttonVariants({ variant: "plain" })}
    >
      {icon}
      {label}
    </Link>
  );

/** All details of one request. @param isPage compares with another one, which the page's address names. */
export const ReceiptOf = ({ requestId, isPage = false }: { requestId: string; isPage?: boolean }) => {
  const { isAdmin } = useSession("logs");
  const { data, error, refetch } = useQuery(receiptQuery(requestId, isAdmin));
  if (error)
    return (
      <Panel>
        <FailedState error={error} onRetry={() => void refetch()} />
      </Panel>
    );
  if (data === undefined) return <Waiting />;
  return data.receipt === undefined ? <Missing /> : <Paper receipt={data.receipt} isPage={isPage} />;
};

const Missing = () => {
  const { t } = useTranslation();
  return (
    <Panel>
      <EmptyState icon={<ReceiptText />} title={t("receipt.missing")} text={t("receipt.missingText")}>
        <FindReceipt />
      </EmptyState>
    </Panel>
  );
};

const Waiting = () => {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t("page.loading")} className="flex flex-col gap-4">
      {[150, 190, 260].map((height) => (
        <div key={height} className="skeleton rounded-lg" style={{ height }} />
      ))}
    </div>
  );
};

const Section = ({ title, text, children }: { title: string; text?: string; children?: ReactNode }) => (
  <section aria-label={title} className="rounded-lg border border-line bg-surface p-4 wide:p-6">
    <h2 className="font-semibold text-lg">{title}</h2>
    {text && <p className="mt-0.5 text-sm text-ink-2">{text}</p>}
    {children && <div className="mt-4">{children}</div>}
  </section>
);

const Paper = ({ receipt, isPage }: { receipt: Receipt; isPage: boolean }) => {
  const { t } = useTranslation();
  return (
    <>
      <Summary receipt={receipt} />
      <Section title={t("receipt.where")} text={t("receipt.whereText", { count: receipt.attempts.length })}>
        <AttemptTimeline receipt={receipt} />
      </Section>
      <Section
        title={t("receipt.cost")}
        text={
          // Without an answer there is no price.
          receipt.formula === "" ? undefined : t("receipt.priceVersion", { version: receipt.price_version })
        }
      >
        {receipt.at_budget !== undefined && (
          <p className="mb-3 break-words text-sm">{t("receipt.atBudget", { budget: receipt.at_budget })}</p>
        )}
        <PricedBy receipt={receipt} />
        <CostBreakdown receipt={receipt} />
      </Section>
      <BodySection receipt={receipt} />
      {isPage && (
        <Section title={t("why.compare")} text={t("why.compareText")}>
          <LazyBoundary
            load={() => import("./compare-receipts")}
            with={{ receipt }}
            fallback={<div className="skeleton h-32 rounded-md" />}
          />
        </Section>
      )}
    </>
  );
};

/** The group whose ratio applies, and the applied rule, unless they are the default. */
const PricedBy = ({ receipt: { group, rule } }: { receipt: Receipt }) => {
  const { t } = useTranslation();
  if (group === undefined && !rule) return null;
  const what = rule && [
    ...(rule.has_price ? [t("receipt.rulePrice")] : []),
    ...(rule.ratio === undefined ? [] : [t("receipt.ruleRatio", { ratio: rule.ratio })]),
    ...(rule.factor === undefined ? [] : [t("receipt.ruleFactor", { factor: rule.factor })]),
  ];
  return (
    <p className="mb-3 break-words text-sm">
      {group !== undefined && <span className="me-2">{t("receipt.byGroup", { group })}</span>}
      {rule && <span>{t("receipt.rule", { name: rule.name, what: what?.join(" · ") })}</span>}
    </p>
  );
};

/** The content, if stored; the audit log records root's reading of other users' content. */
const BodySection = ({ receipt }: { receipt: Receipt }) => {
  const { t } = useTranslation();
  const { user, isRoot } = useSession();
  const isOthers = isRoot && receipt.username !== user?.username;
  return (
    <Section
      title={t("receipt.body")}
      text={
        receipt.has_body ? t(isOthers ? "receipt.bodyAudited" : "receipt.bodyText") : t("receipt.bodyNone")
      }
    >
      {receipt.has_body && (
        <>
          <FoldedBody requestId={receipt.request_id} />
          {(isRoot || receipt.user_id === user?.id) && (
            <LazyBoundary
              load={() => import("./why-request")}
              with={{ receipt }}
              fallback={<div className="skeleton mt-4 h-24 rounded-md" />}
            />
          )}
        </>
      )}
    </Section>
  );
};

/** The end of the request, and its four key figures. */
const Summary = ({ receipt }: { receipt: Receipt }) => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("logs");
  const end = endOf(receipt.end);
  const isRenamed = receipt.upstream_model !== "" && receipt.upstream_model !== receipt.model_name;
  return (
    <section
      aria-label={t("receipt.summary")}
      className="@container rounded-lg border border-line bg-surface"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 p-4 wide:px-6">
        <div className="min-w-0">
          <h2 className="break-words font-semibold text-lg">
            {receipt.alias !== undefined && (
              <span className="me-2 font-normal text-sm text-ink-2" title={t("receipt.alias")}>
                {receipt.alias} →
              </span>
            )}
            <RecordLink kind="model" id={receipt.model_name}>
              {receipt.model_name || t("receipt.noModel")}
            </RecordLink>
            {isRenamed && (
              <span className="ms-2 font-normal text-sm text-ink-2">→ {receipt.upstream_model}</span>
            )}
          </h2>
          <p className="mt-1 text-ink-2">{end ? t(`receipt.endText.${end}`) : receipt.end}</p>
        </div>
        <Badge tone={endTone(receipt.end)}>{end ? t(`receipt.end.${end}`) : receipt.end}</Badge>
      </div>
      {receipt.reason !== undefined && (
        <div className="border-line border-t p-4 wide:px-6">
          <h3 className="text-xs text-ink-2">{t("receipt.reason")}</h3>
          <p className="mt-1 break-words">{receipt.reason}</p>
          <p className="mt-1 break-all font-mono text-xs text-red">
            {[receipt.status, receipt.code].filter(Boolean).join(" ")}
          </p>
          <Original receipt={receipt} />
        </div>
      )}
      <dl className="grid grid-cols-2 border-line border-t lg:grid-cols-4">
        <Figure label={t("receipt.charged")} value={formatQuota(receipt.quota, 6)} />
        <Figure label={t("receipt.duration")} value={formatDuration(receipt.duration_ms)} />
        <Figure
          label={t("receipt.firstByte")}
          value={receipt.first_byte_ms === undefined ? "–" : formatDuration(receipt.first_byte_ms)}
        />
        <Figure
          label={t("receipt.tokens")}
          value={(receipt.prompt_tokens + receipt.completion_tokens).toLocaleString("en-US")}
        />
      </dl>
      <dl className="grid gap-x-6 gap-y-2 border-line border-t p-4 text-sm wide:px-6 @2xl:grid-cols-2">
        <Fact label={t("field.time")}>{formatTime(receipt.created_at)}</Fact>
        <Fact label={t("receipt.kind")}>{receipt.is_stream ? t("receipt.stream") : t("receipt.whole")}</Fact>
        {receipt.username !== "" && (
          <Fact label={t("field.user")}>
            {isAdmin ? (
              <RecordLink kind="user" id={receipt.user_id}>
                {receipt.username}
              </RecordLink>
            ) : (
              receipt.username
            )}
          </Fact>
        )}
        <Fact label={t("field.token")}>
          {receipt.token_name === "" ? (
            "–"
          ) : (
            <KeyLink id={receipt.token_id} name={receipt.token_name} userId={receipt.user_id} />
          )}
        </Fact>
        {receipt.times !== undefined && receipt.last_at !== undefined && (
          <Fact label={t("receipt.repeated")}>
            {t("receipt.repeatedText", { times: receipt.times, last: formatTime(receipt.last_at) })}
          </Fact>
        )}
        <Fact label={t("receipt.requestId")}>
          <span className="flex min-w-0 items-center gap-1">
            <span className="min-w-0 break-all font-mono text-sm">{receipt.request_id}</span>
            <Button
              variant="quiet"
              size="small"
              onClick={() => void copyOrShow(receipt.request_id, () => undefined)}
            >
              {t("action.copy")}
            </Button>
          </span>
        </Fact>
      </dl>
      <ReportLink receipt={receipt} />
    </section>
  );
};

/** The upstream's own error, which the server sends to administrators alone. */
const Original = ({ receipt: { original } }: { receipt: Receipt }) => {
  const { t } = useTranslation();
  if (!original) return null;
  return (
    <>
      <h3 className="mt-3 text-xs text-ink-2">{t("receipt.original")}</h3>
      {original.message !== "" && <p className="mt-1 break-words">{original.message}</p>}
      <p className="mt-1 break-all font-mono text-ink-2 text-xs">
        {[original.status, original.code].filter(Boolean).join(" ")}
      </p>
    </>
  );
};

/** Leads to a new ticket with the receipt of one's own request. */
const ReportLink = ({ receipt: { request_id: request, user_id: userId } }: { receipt: Receipt }) => {
  const { t } = useTranslation();
  const isReportable = useReportable();
  if (!isReportable(userId)) return null;
  return (
    <div className="flex justify-end border-line border-t px-4 py-3 wide:px-6">
      <Link
        to="/ticket/add"
        search={{ request }}
        className={buttonVariants({ variant: "plain", size: "small" })}
      >
        {t("receipt.report")}
      </Link>
    </div>
  );
};

const Figure = ({ label, value }: { label: string; value: string }) => (
  <div className="px-4 py-3 wide:px-6">
    <dt className="text-xs text-ink-2">{label}</dt>
    <dd className="font-semibold text-lg tabular-nums">{value}</dd>
  </div>
);

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex min-w-0 items-center gap-3">
    <dt className="w-24 shrink-0 text-ink-3">{label}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </div>
);
