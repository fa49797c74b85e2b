import { Link } from "@tanstack/react-router";
import { exportPromotions, PROMOTION_FILTERS, type Promotion } from "@tollgate/contract/api/promotions";
import { PROMOTION_EFFECTS, PROMOTION_KINDS } from "@tollgate/contract/payments/promotions";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { Percent } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AddLink } from "../../components/add-link";
import { Badge } from "../../components/badge";
import { buttonVariants } from "../../components/button";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ExportButton } from "../../components/export-button";
import { ListPage } from "../../components/list-page";
import { timeColumn } from "../../components/plain-columns";
import { useActionsColumn } from "../../components/row-actions";
import { exactQuota } from "../../lib/exact-quota";
import { formatTime } from "../../lib/format";
import { useNarrowedList } from "../../lib/use-narrowed-list";
import { PromotionActions } from "./promotion-actions";
import { promotionPages, queriedPromotions } from "./promotion-queries";
import { PromotionState, promotionState } from "./promotion-state";

/** A number with its bound, if it has one. */
const Counted = ({ used, most }: { used: string; most: string | undefined }) => {
  const { t } = useTranslation();
  return (
    <span className="tabular-nums">{most === undefined ? used : t("promotion.usesOf", { used, most })}</span>
  );
};

/** The steps of a promotion in words. */
const StepList = ({ promotion: { unit, steps, effect } }: { promotion: Promotion }) => {
  const { t } = useTranslation();
  return (
    <span className="flex flex-col items-start gap-x-2 gap-y-0.5 wide:max-w-80 wide:flex-row wide:flex-wrap wide:items-center">
      <Badge tone={effect === "bonus" ? "green" : "olive"}>{t(`promotion.effects.${effect}`)}</Badge>
      {steps.map(({ from, value }) => (
        <span key={from} className="text-ink-2 text-xs tabular-nums wide:whitespace-nowrap">
          {t(`promotion.${from > 0 ? "stepText" : "anyStepText"}.${unit}`, {
            from: exactQuota(from),
            value: unit === "percent" ? value / 100 : exactQuota(value),
          })}
        </span>
      ))}
    </span>
  );
};

/** The columns of the promotions. */
const useColumns = (now: number, onShowCode: (code: string) => void): Column<Promotion>[] => {
  const { t } = useTranslation();
  const actions = useActionsColumn((row: Promotion) => (
    <PromotionActions promotion={row} onShowCode={onShowCode} />
  ));
  return [
    {
      id: "name",
      label: t("field.name"),
      cell: ({ name, code }) => (
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span>{name}</span>
          {code !== "" && code !== name && (
            <span className="break-all font-mono font-normal text-ink-2 text-xs">{code}</span>
          )}
        </span>
      ),
      sortBy: ({ name }) => name,
      card: "head",
      className: "min-w-36 max-w-72 break-words font-medium",
    },
    {
      id: "kind",
      label: t("promotion.kind"),
      cell: ({ kind }) => <Badge>{t(`promotion.kinds.${kind}`)}</Badge>,
    },
    {
      id: "state",
      label: t("field.status"),
      cell: (row) => <PromotionState promotion={row} now={now} />,
      card: "side",
    },
    { id: "effect", label: t("promotion.effect"), cell: (row) => <StepList promotion={row} /> },
    {
      id: "used_count",
      label: t("promotion.uses"),
      cell: ({ usedCount, maxUses }) => (
        <Counted used={String(usedCount)} most={maxUses > 0 ? String(maxUses) : undefined} />
      ),
      sortBy: ({ usedCount }) => usedCount,
      isNumber: true,
    },
    {
      id: "used_total",
      label: t("promotion.given"),
      cell: ({ usedTotal, maxTotal }) => (
        <Counted used={exactQuota(usedTotal)} most={maxTotal > 0 ? exactQuota(maxTotal) : undefined} />
      ),
      sortBy: ({ usedTotal }) => usedTotal,
      isNumber: true,
    },
    timeColumn("starts_at", t("promotion.startsAt"), ({ startsAt }) => startsAt),
    {
      id: "ends_at",
      label: t("promotion.endsAt"),
      cell: ({ endsAt }) =>
        formatTime(endsAt) || <span className="text-ink-3">{t("promotion.noBound")}</span>,
      sortBy: ({ endsAt }) => endsAt,
      className: "wide:whitespace-nowrap",
    },
    actions,
  ];
};

/** /promotion: promotion codes and recharge activities, for administrators. */
export const PromotionListPage = () => {
  const { t } = useTranslation();
  const [now] = useState(() => toUnixSeconds(Date.now()));
  const [shownCode, setShownCode] = useState<string>();
  const columns = useColumns(now, setShownCode);
  const page = useNarrowedList({
    pages: promotionPages,
    queried: queriedPromotions,
    columns,
    kinds: PROMOTION_FILTERS,
  });
  return (
    <ListPage
      {...page}
      title={t("promotion.title")}
      label={t("promotion.title")}
      description={t("promotion.description")}
      searchPlaceholder={t("promotion.search")}
      shownText={shownCode}
      filters={[
        {
          column: "kind",
          label: t("promotion.kind"),
          choices: PROMOTION_KINDS.map((kind) => [kind, t(`promotion.kinds.${kind}`)]),
        },
        {
          column: "effect",
          label: t("promotion.effect"),
          choices: PROMOTION_EFFECTS.map((effect) => [effect, t(`promotion.effects.${effect}`)]),
        },
      ]}
      columns={columns}
      rowKey={({ id }) => id}
      isFaint={(row) => promotionState(row, now) !== "live"}
      onSearch={(next) => {
        setShownCode(undefined);
        page.onSearch(next);
      }}
      primary={<AddLink to="/promotion/add">{t("promotion.add")}</AddLink>}
      actions={
        <ExportButton
          file={exportPromotions}
          query={() => ({ keyword: page.search.q, ...page.narrowed.filter })}
        />
      }
      empty={
        <EmptyState icon={<Percent />} title={t("promotion.emptyTitle")} text={t("promotion.emptyText")}>
          <Link to="/promotion/add" className={buttonVariants({ variant: "plain" })}>
            {t("promotion.first")}
          </Link>
        </EmptyState>
      }
    />
  );
};
