import { useNavigate } from "@tanstack/react-router";
import { createPriceDraft } from "@tollgate/contract/api/price-drafts";
import { previewPrices, setPriceLock } from "@tollgate/contract/api/prices";
import type {
  PricePreview,
  PriceRow,
  PriceSource,
  PriceState,
} from "@tollgate/contract/management/price-sync";
import { Check, FlaskConical, Tags } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { DataTable } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { FailedState } from "../../components/failed-state";
import { Segmented } from "../../components/segmented";
import { formatDate } from "../../lib/format";
import { notify } from "../../lib/notify";
import { useSession } from "../../lib/session";
import { sortRows } from "../../lib/sort-rows";
import { useEndpoint } from "../../lib/use-endpoint";
import { useAcceptPrices } from "./accept-prices";
import { isAcceptable, usePriceColumns } from "./price-columns";
import { PriceSourceForm } from "./price-source-form";

type Filter = "different" | PriceState;

const FILTERS: readonly Filter[] = ["different", "new", "changed", "refused", "gone", "same"];

const passes = ({ state }: PriceRow, filter: Filter): boolean =>
  filter === "different" ? state !== "same" : state === filter;

/** A row after its price was accepted. */
const accepted = ({ price: _, fault: __, next, ...row }: PriceRow): PriceRow => ({
  ...row,
  state: "same",
  differences: [],
  ...(next ? { old: next, next } : {}),
});

const pricesOf = (rows: readonly PriceRow[]) =>
  rows.flatMap(({ model, price }) => (price ? [[model, price] as const] : []));

/** Creates a draft of prices and opens it on the rehearsal page. */
const useRehearse = (source: PriceSource | undefined) => {
  const { t } = useTranslation();
  const draft = useEndpoint(createPriceDraft, { repeatsAlways: true });
  const navigate = useNavigate();
  const rehearse = (rows: readonly PriceRow[]): void => {
    if (!source) return;
    const from = t(`price.sourceName.${source === "models.dev" ? "modelsDev" : source}`);
    const name = `${from} ${formatDate(new Date()).slice(0, 16)}`;
    draft.mutate(
      { body: { name, changes: { ModelPrice: Object.fromEntries(pricesOf(rows)) } } },
      {
        onSuccess: ({ id }) => void navigate({ to: "/pricing/rehearsal", search: { draft: String(id) } }),
      },
    );
  };
  return { rehearse, isRehearsing: draft.isPending };
};

/** The compared rows and the actions on them. */
const useComparison = () => {
  const { t } = useTranslation();
  const compare = useEndpoint(previewPrices, { isSilent: true });
  const accept = useAcceptPrices();
  const locking = useEndpoint(setPriceLock, { repeatsAlways: true });
  const [shown, setShown] = useState<PricePreview & { source: PriceSource }>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const leaveOut = (models: ReadonlySet<string>) =>
    setChosen(new Set([...chosen].filter((model) => !models.has(model))));
  const edit = (models: ReadonlySet<string>, change: (row: PriceRow) => PriceRow, version?: number) =>
    setShown(
      (now) =>
        now && {
          ...now,
          price_version: version ?? now.price_version,
          rows: now.rows.map((row) => (models.has(row.model) ? change(row) : row)),
        },
    );
  return {
    compare,
    shown,
    chosen,
    isAccepting: accept.isPending,
    isBusy: accept.isPending || locking.isPending,
    start: (body: Parameters<typeof compare.mutate>[0]["body"]) => {
      setChosen(new Set());
      compare.mutate({ body }, { onSuccess: (found) => setShown({ ...found, source: body.source }) });
    },
    choose: (model: string, isChosen: boolean) =>
      isChosen ? setChosen(new Set([...chosen, model])) : leaveOut(new Set([model])),
    take: async (rows: readonly PriceRow[]) => {
      if (!shown) return;
      const prices = pricesOf(rows);
      const models = new Set(prices.map(([model]) => model));
      await accept
        .mutateAsync({ source: shown.source, version: shown.price_version, prices })
        .then((version) => {
          edit(models, accepted, version);
          leaveOut(models);
          notify.success(t("price.accepted", { count: models.size }));
        })
        // The query client reports the failure.
        .catch(() => undefined);
    },
    lock: ({ model, is_locked }: PriceRow) =>
      locking.mutate(
        { body: { model, is_locked: !is_locked } },
        { onSuccess: () => edit(new Set([model]), (row) => ({ ...row, is_locked: !is_locked })) },
      ),
  };
};

type Comparison = ReturnType<typeof useComparison>;

/** Prices beside those of a list, to be accepted one by one, selected, or all. */
export const PriceComparison = () => {
  const { t } = useTranslation();
  const comparison = useComparison();
  const { compare, shown } = comparison;
  const [filter, setFilter] = useState<Filter>("different");
  return (
    <>
      <PriceSourceForm isComparing={compare.isPending} onCompare={comparison.start} />
      {shown && !compare.isError && (
        <Segmented
          label={t("price.filter")}
          value={filter}
          segments={FILTERS.map((value) => ({
            value,
            label: `${t(`price.show.${value}`)} (${shown.rows.filter((row) => passes(row, value)).length})`,
          }))}
          onChange={setFilter}
          className="w-fit"
        />
      )}
      {compare.isIdle && !shown ? (
        <div className="rounded-lg border border-line bg-surface">
          <EmptyState icon={<Tags />} title={t("price.idle.title")} text={t("price.idle.text")} />
        </div>
      ) : (
        <ComparedPrices comparison={comparison} filter={filter} />
      )}
    </>
  );
};

interface ComparedPricesProps {
  comparison: Comparison;
  filter: Filter;
}

/** The table of the compared prices. */
const ComparedPrices = ({ comparison, filter }: ComparedPricesProps) => {
  const { t } = useTranslation();
  const { isRoot } = useSession();
  const { compare, shown, chosen, isBusy, choose, take, lock } = comparison;
  const [sort, setSort] = useState<string>();
  const columns = usePriceColumns({
    chosen,
    isBusy: !isRoot || isBusy,
    onChoose: choose,
    onAccept: (row) => void take([row]),
    onLock: lock,
  });
  const found = compare.isError ? [] : (shown?.rows ?? []).filter((row) => passes(row, filter));
  return (
    <DataTable
      label={t("price.comparison")}
      columns={columns}
      rows={compare.isPending ? undefined : sortRows(found, sort, columns)}
      rowKey={({ model }) => model}
      isFaint={({ is_locked }) => is_locked}
      sort={sort}
      onSort={setSort}
      empty={
        compare.isError ? (
          <FailedState
            error={compare.error}
            onRetry={() => compare.variables && compare.mutate(compare.variables)}
          />
        ) : (
          <EmptyState icon={<Check />} title={t("price.nothing.title")} text={t("price.nothing.text")} />
        )
      }
      actions={<ComparisonActions comparison={comparison} filter={filter} />}
      pagination={null}
    />
  );
};

/** Actions on the selected prices, or on all shown ones. */
const ComparisonActions = ({ comparison, filter }: ComparedPricesProps) => {
  const { t } = useTranslation();
  const { isRoot } = useSession();
  const { shown, chosen, isAccepting, take } = comparison;
  const { rehearse, isRehearsing } = useRehearse(shown?.source);
  const all = shown?.rows.filter(isAcceptable) ?? [];
  const picked = all.filter(({ model }) => chosen.has(model));
  const acceptable = all.filter((row) => passes(row, filter));
  return (
    <>
      <Button
        variant="primary"
        disabled={!isRoot || picked.length === 0}
        isBusy={isAccepting}
        onClick={() => void take(picked)}
      >
        {t("price.acceptChosen", { count: picked.length })}
      </Button>
      <Button disabled={picked.length === 0} isBusy={isRehearsing} onClick={() => rehearse(picked)}>
        <FlaskConical aria-hidden className="size-3.5" />
        {t("price.rehearseChosen", { count: picked.length })}
      </Button>
      {acceptable.length > 0 && (
        <ConfirmButton
          disabled={!isRoot}
          isHarmless
          question={t("price.acceptAllQuestion", { count: acceptable.length })}
          consequence={t("price.acceptAllConsequence")}
          confirm={t("price.acceptAll", { count: acceptable.length })}
          onConfirm={() => take(acceptable)}
        >
          {t("price.acceptAll", { count: acceptable.length })}
        </ConfirmButton>
      )}
    </>
  );
};
