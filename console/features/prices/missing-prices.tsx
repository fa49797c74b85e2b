import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { MissingPrice } from "@tollgate/contract/management/price-sync";
import { Check, RotateCw } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { type Column, DataTable } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { FailedState } from "../../components/failed-state";
import { RowActions, useActionsColumn } from "../../components/row-actions";
import { formatUsd } from "../../lib/exact-quota";
import { notify } from "../../lib/notify";
import { useSession } from "../../lib/session";
import { sortRows } from "../../lib/sort-rows";
import { useAcceptPrices } from "./accept-prices";
import { missingPricesQuery } from "./missing-prices-query";

const useColumns = (
  isBusy: boolean,
  refusal: string | undefined,
  onAccept: (models: readonly MissingPrice[]) => void,
): Column<MissingPrice>[] => {
  const { t } = useTranslation();
  return [
    {
      id: "model",
      label: t("price.model"),
      cell: ({ model }) => <span className="break-all font-medium">{model}</span>,
      sortBy: ({ model }) => model,
      card: "head",
      className: "wide:min-w-40",
    },
    {
      id: "reason",
      label: t("price.reason"),
      cell: ({ reason }) => t(`price.missing.${reason}`),
      sortBy: ({ reason }) => reason,
      className: "wide:min-w-56",
    },
    {
      id: "channels",
      label: t("price.offeredBy"),
      cell: ({ channels, more_channels }) => (
        <ul className="flex flex-wrap gap-x-3 gap-y-0.5">
          {channels.map(({ id, name, models }) => (
            <li key={id}>
              <Link
                to="/channel/edit/$id"
                params={{ id: String(id) }}
                title={models.join(", ")}
                className="text-accent hover:underline"
              >
                {name || id}
              </Link>
            </li>
          ))}
          {more_channels !== undefined && (
            <li className="text-ink-3">{t("price.moreChannels", { count: more_channels })}</li>
          )}
        </ul>
      ),
      sortBy: ({ channels, more_channels = 0 }) => channels.length + more_channels,
    },
    {
      id: "price",
      label: t("price.fromCatalogue"),
      cell: ({ price }) =>
        price === undefined ? (
          <span className="text-ink-3">{t("value.none")}</span>
        ) : "perCall" in price ? (
          t("price.perCall", { usd: formatUsd(price.perCall) })
        ) : (
          t("price.perMillion", { input: formatUsd(price.input), output: formatUsd(price.output) })
        ),
    },
    useActionsColumn((missing) =>
      missing.price ? (
        <RowActions
          of={missing.model}
          actions={[{ label: t("price.useCatalogue"), isBusy, refusal, onSelect: () => onAccept([missing]) }]}
        />
      ) : null,
    ),
  ];
};

/** The offered models whose requests are rejected, because they have no price. */
export const MissingPrices = () => {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(missingPricesQuery);
  const accept = useAcceptPrices();
  const [sort, setSort] = useState<string>();
  const take = (models: readonly MissingPrice[]) => {
    if (!data) return;
    const prices = models.flatMap(({ model, price }) => (price ? [[model, price] as const] : []));
    accept.mutate(
      { source: "catalogue", version: data.price_version, prices },
      { onSuccess: () => notify.success(t("price.accepted", { count: prices.length })) },
    );
  };
  const { isRoot } = useSession();
  const columns = useColumns(accept.isPending, isRoot ? undefined : t("price.rootAccepts"), take);
  const known = data?.models.filter(({ price }) => price) ?? [];
  return (
    <DataTable
      label={t("price.missingTitle")}
      columns={columns}
      rows={error ? [] : data && sortRows(data.models, sort, columns)}
      rowKey={({ model }) => model}
      sort={sort}
      onSort={setSort}
      end={
        data?.more_models !== undefined && (
          <p className="px-3 py-2 text-ink-3">{t("price.moreMissing", { count: data.more_models })}</p>
        )
      }
      empty={
        error ? (
          <FailedState error={error} onRetry={() => void refetch()} />
        ) : (
          <EmptyState icon={<Check />} title={t("price.allPriced.title")} text={t("price.allPriced.text")} />
        )
      }
      actions={
        <>
          {known.length > 1 && (
            <Button
              variant="primary"
              disabled={!isRoot}
              isBusy={accept.isPending}
              onClick={() => take(known)}
            >
              {t("price.useCatalogueForAll", { count: known.length })}
            </Button>
          )}
          <Button onClick={() => void refetch()}>
            <RotateCw aria-hidden className="size-3.5" />
            {t("action.refresh")}
          </Button>
        </>
      }
      pagination={null}
    />
  );
};
