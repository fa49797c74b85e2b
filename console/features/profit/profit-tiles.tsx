import { marginOf, type ProfitSum, profitOf, unknownShareOf } from "@tollgate/contract/api/profit";
import { clsx } from "clsx";
import { useTranslation } from "react-i18next";
import { formatCount } from "../../lib/format";
import { formatShare, formatSignedShare } from "../../lib/format-measure";
import { amountsOf, formatCost, formatProfit, formatRevenue } from "../../lib/profit-text";

interface Tile {
  name: "revenue" | "cost" | "profit" | "margin" | "unknown";
  value: string;
  note: string;
  isBad?: boolean;
}

const NAMES = ["revenue", "cost", "profit", "margin", "unknown"] as const;

const useTiles = (total: ProfitSum): Tile[] => {
  const { t } = useTranslation();
  const margin = marginOf(total);
  const unknown = unknownShareOf(total) ?? 0;
  const unknownRequests = total.requests - total.costedRequests;
  const isKnown = total.costedRequests > 0;
  const profit = profitOf(total);
  const beside = amountsOf([total]);
  return [
    {
      name: "revenue",
      value: formatRevenue(total.revenue, beside),
      note: t("profit.note.revenue", { requests: formatCount(total.requests) }),
    },
    {
      name: "cost",
      value: isKnown ? formatCost(total.cost, beside) : t("profit.unknown"),
      note: t("profit.note.cost", { requests: formatCount(total.costedRequests) }),
    },
    {
      name: "profit",
      value: isKnown ? formatProfit(total, beside) : t("profit.unknown"),
      note: t("profit.note.profit", { revenue: formatRevenue(total.costedRevenue) }),
      isBad: profit < 0,
    },
    {
      name: "margin",
      value: margin === undefined ? "–" : formatSignedShare(margin),
      note: t("profit.note.margin"),
      isBad: (margin ?? 0) < 0,
    },
    {
      name: "unknown",
      value: formatShare(unknown),
      note: t("profit.note.unknown", {
        revenue: formatRevenue(total.revenue - total.costedRevenue),
        requests: formatCount(unknownRequests),
      }),
    },
  ];
};

const FRAME = "flex min-h-[102px] min-w-0 flex-col rounded-lg border border-line bg-surface px-4 py-3.5";
const GRID = "grid grid-cols-2 gap-3 wide:grid-cols-5";

/** What was earned in all, as big numbers. */
export const ProfitTiles = ({ total }: { total: ProfitSum | undefined }) => {
  const { t } = useTranslation();
  return (
    <section aria-label={t("profit.numbers")} aria-busy={total === undefined} className={GRID}>
      {total ? <Tiles total={total} /> : NAMES.map((name) => <Waiting key={name} />)}
    </section>
  );
};

const Waiting = () => (
  <div className={clsx(FRAME, "gap-3")}>
    <div className="skeleton h-3.5 w-16" />
    <div className="skeleton h-7 w-24" />
  </div>
);

const Tiles = ({ total }: { total: ProfitSum }) => {
  const { t } = useTranslation();
  return useTiles(total).map(({ name, value, note, isBad }) => (
    <div key={name} className={clsx(FRAME, name === "unknown" && "max-wide:col-span-2")}>
      <span className="text-sm text-ink-2">{t(`profit.sum.${name}`)}</span>
      <span
        className={clsx(
          "mt-0.5 whitespace-nowrap font-semibold text-xl leading-8 tabular-nums",
          isBad && "text-red",
        )}
      >
        {value}
      </span>
      <span className="text-xs text-ink-3 tabular-nums">{note}</span>
    </div>
  ));
};
