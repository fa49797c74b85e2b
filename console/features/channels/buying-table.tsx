import { useQuery } from "@tanstack/react-query";
import type { Channel } from "@tollgate/contract/api/channels";
import type { BuyingRow } from "@tollgate/contract/management/buying-price";
import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import { clsx } from "clsx";
import { Boxes } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Column, DataTable } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { FailedState } from "../../components/failed-state";
import { formatUsd } from "../../lib/exact-quota";
import { formatSignedShare } from "../../lib/format-measure";
import { sortRows } from "../../lib/sort-rows";
import { buyingPreviewQuery } from "./channel-queries";

const Price = ({ price }: { price: ModelPriceEntry | undefined }) => {
  const { t } = useTranslation();
  if (!price) return <span className="text-ink-3">{t("buying.unknown")}</span>;
  return (
    <span className="whitespace-nowrap tabular-nums">
      {"perCall" in price
        ? t("buying.eachCall", { usd: formatUsd(price.perCall) })
        : `${formatUsd(price.input)} / ${formatUsd(price.output)}`}
    </span>
  );
};

const lowest = ({ sells }: BuyingRow): number | undefined => {
  const margins = sells.flatMap(({ margin }) => margin ?? []);
  return margins.length === 0 ? undefined : Math.min(...margins);
};

const Margin = ({ margin }: { margin: number | undefined }) =>
  margin === undefined ? (
    <span className="text-ink-3">–</span>
  ) : (
    <span className={clsx("tabular-nums", margin < 0 && "font-medium text-red")}>
      {formatSignedShare(margin)}
    </span>
  );

const useColumns = (): Column<BuyingRow>[] => {
  const { t } = useTranslation();
  return [
    {
      id: "model",
      label: t("buying.model"),
      cell: ({ model }) => <span className="break-all font-medium">{model}</span>,
      sortBy: ({ model }) => model,
      card: "head",
      className: "wide:min-w-40",
    },
    {
      id: "rule",
      label: t("buying.rule"),
      cell: ({ rule }) =>
        rule === undefined ? (
          <span className="text-ink-3">{t("buying.noRule")}</span>
        ) : (
          <span className="break-all">{rule || t("buying.usualRule")}</span>
        ),
      sortBy: ({ rule }) => rule ?? "",
    },
    { id: "list", label: t("buying.list"), cell: ({ list }) => <Price price={list} /> },
    { id: "buys", label: t("buying.buys"), cell: ({ buys }) => <Price price={buys} /> },
    {
      id: "sells",
      className: "max-wide:col-span-2",
      label: t("buying.sells"),
      cell: ({ sells }) => (
        <ul className="grid w-fit grid-cols-[repeat(3,auto)] gap-x-3 gap-y-0.5">
          {sells.map(({ group, price, margin }) => (
            <li key={group} className="col-span-3 grid grid-cols-subgrid">
              <span className="text-ink-2">{group}</span>
              <Price price={price} />
              <Margin margin={margin} />
            </li>
          ))}
        </ul>
      ),
    },
    {
      id: "margin",
      label: t("buying.margin"),
      cell: (row) => <Margin margin={lowest(row)} />,
      sortBy: (row) => lowest(row) ?? Number.POSITIVE_INFINITY,
      isNumber: true,
    },
  ];
};

interface BuyingTableProps {
  channel: Channel;
  /** The text to store. */
  buyingPrices: string;
}

/** The form's request for a preview. */
export const previewBody = ({ channel, buyingPrices }: BuyingTableProps) => ({
  id: channel.id,
  models: channel.models.join(","),
  model_mapping: JSON.stringify(channel.modelMapping),
  group: channel.groups.join(","),
  buying_prices: buyingPrices,
});

/** Each model of a channel: list price, cost price, prices of its groups, and margin. */
export const BuyingTable = (props: BuyingTableProps) => {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(buyingPreviewQuery(previewBody(props)));
  const [sort, setSort] = useState<string>();
  const columns = useColumns();
  const losses = data?.rows.filter((row) => (lowest(row) ?? 0) < 0).length ?? 0;
  return (
    <DataTable
      label={t("buying.table")}
      columns={columns}
      rows={error ? [] : data && sortRows(data.rows, sort, columns)}
      rowKey={({ model }) => model}
      sort={sort}
      onSort={setSort}
      above={
        losses > 0 && (
          <p role="alert" className="bg-red-soft px-4 py-2.5 text-sm text-red">
            {t("buying.losses", { count: losses })}
          </p>
        )
      }
      empty={
        error ? (
          <FailedState error={error} onRetry={() => void refetch()} />
        ) : (
          <EmptyState icon={<Boxes />} title={t("buying.noModels")} text={t("buying.noModelsText")} />
        )
      }
      actions={<span className="text-sm text-ink-2">{t("buying.unit")}</span>}
      pagination={null}
    />
  );
};
