import {
  hasKnownCost,
  marginOf,
  type ProfitSum,
  profitOf,
  unknownShareOf,
} from "@tollgate/contract/api/profit";
import { clsx } from "clsx";
import { useTranslation } from "react-i18next";
import { Change } from "../../components/change";
import { formatCount } from "../../lib/format";
import { formatShare, formatSignedShare } from "../../lib/format-measure";
import { amountsOf, formatCost, formatProfit, formatRevenue } from "../../lib/profit-text";
import type { ChangeMeaning } from "../../lib/usage/change";

interface Tile {
  name: "revenue" | "cost" | "profit" | "margin" | "unknown";
  value: string;
  note: string;
  isBad?: boolean;
}

const NAMES = ["revenue", "cost", "profit", "margin", "unknown"] as const;

interface Comparison {
  meaning: ChangeMeaning;
  /** undefined if unknown. */
  amountOf: (sum: ProfitSum) => number | undefined;
  textOf: (sum: ProfitSum) => string;
}

const ifKnown =
  (amountOf: (sum: ProfitSum) => number) =>
  (sum: ProfitSum): number | undefined =>
    hasKnownCost(sum) ? amountOf(sum) : undefined;

/** The sums that are compared with the earlier range. */
const COMPARISONS: Partial<Record<Tile["name"], Comparison>> = {
  revenue: {
    meaning: "neither",
    amountOf: ({ revenue }) => revenue,
    textOf: (sum) => formatRevenue(sum.revenue),
  },
  cost: { meaning: "neither", amountOf: ifKnown(({ cost }) => cost), textOf: (sum) => formatCost(sum.cost) },
  profit: { meaning: "good", amountOf: ifKnown(profitOf), textOf: (sum) => formatProfit(sum) },
};

const useTiles = (total: ProfitSum): Tile[] => {
  const { t } = useTranslation();
  const margin = marginOf(total);
  const unknown = unknownShareOf(total) ?? 0;
  const unknownRequests = total.requests - total.costedRequests;
  const isKnown = hasKnownCost(total);
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

interface ProfitTilesProps {
  /** undefined while unknown. */
  total: ProfitSum | undefined;
  /** Of the equally long range before, once known. */
  before: ProfitSum | undefined;
}

/** The total profit, as big numbers. */
export const ProfitTiles = ({ total, before }: ProfitTilesProps) => {
  const { t } = useTranslation();
  return (
    <section aria-label={t("profit.numbers")} aria-busy={total === undefined} className={GRID}>
      {total ? <Tiles total={total} before={before} /> : NAMES.map((name) => <Waiting key={name} />)}
    </section>
  );
};

const Waiting = () => (
  <div className={clsx(FRAME, "gap-3")}>
    <div className="skeleton h-3.5 w-16" />
    <div className="skeleton h-7 w-24" />
  </div>
);

const Tiles = ({ total, before }: { total: ProfitSum; before: ProfitSum | undefined }) =>
  useTiles(total).map(({ name, value, note, isBad }) => (
    <div key={name} className={clsx(FRAME, name === "unknown" && "max-wide:col-span-2")}>
      <TileName name={name} />
      <span className="mt-0.5 flex flex-wrap items-baseline gap-x-2">
        <span
          className={clsx(
            "whitespace-nowrap font-semibold text-xl leading-8 tabular-nums",
            isBad && "text-red",
          )}
        >
          {value}
        </span>
        {before && <ProfitChange name={name} total={total} before={before} />}
      </span>
      <span className="text-xs text-ink-3 tabular-nums">{note}</span>
    </div>
  ));

const TileName = ({ name }: Pick<Tile, "name">) => {
  const { t } = useTranslation();
  return <span className="text-sm text-ink-2">{t(`profit.sum.${name}`)}</span>;
};

interface ProfitChangeProps extends Pick<Tile, "name"> {
  total: ProfitSum;
  before: ProfitSum;
}

const ProfitChange = ({ name, total, before }: ProfitChangeProps) => {
  const { t } = useTranslation();
  const compared = COMPARISONS[name];
  if (!compared) return null;
  const { meaning, amountOf, textOf } = compared;
  const sampleOf = name === "revenue" ? "requests" : "costedRequests";
  return (
    <Change
      now={amountOf(total)}
      before={amountOf(before)}
      meaning={meaning}
      sample={Math.min(total[sampleOf], before[sampleOf])}
      title={t("usage.change.before", { value: textOf(before) })}
    />
  );
};
