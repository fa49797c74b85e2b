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

/** A row whose price holds now. */
const accepted = ({ price: _, fault: __, next, ...row }: PriceRow): PriceRow => ({
  ...row,
  state: "same",
  differences: [],
  ...(next ? { old: next, next } : {}),
});

/** Prices beside those of a list, to be accepted one by one, as chosen, or all. */
export const PriceComparison = () => {
  const { t } = useTranslation();
  const compare = useEndpoint(previewPrices, { isSilent: true });
  const accept = useAcceptPrices();
  const lock = useEndpoint(setPriceLock, { repeatsAlways: true });
  const draft = useEndpoint(createPriceDraft, { repeatsAlways: true });
  const navigate = useNavigate();
  const { isRoot } = useSession();
  const [shown, setShown] = useState<PricePreview & { source: PriceSource }>();
  const [filter, setFilter] = useState<Filter>("different");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [sort, setSort] = useState<string>();

  const change = (models: ReadonlySet<string>, edit: (row: PriceRow) => PriceRow, version?: number) =>
    setShown(
      (now) =>
        now && {
          ...now,
          price_version: version ?? now.price_version,
          rows: now.rows.map((row) => (models.has(row.model) ? edit(row) : row)),
        },
    );

  const pricesOf = (rows: readonly PriceRow[]) =>
    rows.flatMap(({ model, price }) => (price ? [[model, price] as const] : []));

  /** The prices as a draft, which opens where it is rehearsed. */
  const rehearse = (rows: readonly PriceRow[]): void => {
    const source = shown?.source === "models.dev" ? "modelsDev" : shown?.source;
    if (!source) return;
    const name = `${t(`price.sourceName.${source}`)} ${formatDate(new Date()).slice(0, 16)}`;
    draft.mutate(
      { body: { name, changes: { ModelPrice: Object.fromEntries(pricesOf(rows)) } } },
      {
        onSuccess: ({ id }) => void navigate({ to: "/pricing/rehearsal", search: { draft: String(id) } }),
      },
    );
  };

  const take = async (rows: readonly PriceRow[]) => {
    if (!shown) return;
    const prices = pricesOf(rows);
    const models = new Set(prices.map(([model]) => model));
    await accept
      .mutateAsync({ source: shown.source, version: shown.price_version, prices })
      .then((version) => {
        change(models, accepted, version);
        setChosen(new Set([...chosen].filter((model) => !models.has(model))));
        notify.success(t("price.accepted", { count: models.size }));
      })
      // Told where every failure is.
      .catch(() => undefined);
  };

  const columns = usePriceColumns({
    chosen,
    isBusy: !isRoot || accept.isPending || lock.isPending,
    onChoose: (model, isChosen) =>
      setChosen(
        isChosen ? new Set([...chosen, model]) : new Set([...chosen].filter((each) => each !== model)),
      ),
    onAccept: (row) => void take([row]),
    onLock: ({ model, is_locked }) =>
      lock.mutate(
        { body: { model, is_locked: !is_locked } },
        { onSuccess: () => change(new Set([model]), (row) => ({ ...row, is_locked: !is_locked })) },
      ),
  });

  const rows = shown?.rows.filter((row) => passes(row, filter));
  const acceptable = rows?.filter(isAcceptable) ?? [];
  const picked = shown?.rows.filter((row) => isAcceptable(row) && chosen.has(row.model)) ?? [];
  const isIdle = compare.isIdle && !shown;

  return (
    <>
      <PriceSourceForm
        isComparing={compare.isPending}
        onCompare={(asked) => {
          setChosen(new Set());
          compare.mutate(
            { body: asked },
            { onSuccess: (found) => setShown({ ...found, source: asked.source }) },
          );
        }}
      />
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
      {!isIdle && (
        <DataTable
          label={t("price.comparison")}
          columns={columns}
          rows={compare.isPending ? undefined : compare.isError ? [] : sortRows(rows ?? [], sort, columns)}
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
          actions={
            <>
              <Button
                variant="primary"
                disabled={!isRoot || picked.length === 0}
                isBusy={accept.isPending}
                onClick={() => void take(picked)}
              >
                {t("price.acceptChosen", { count: picked.length })}
              </Button>
              <Button
                disabled={picked.length === 0}
                isBusy={draft.isPending}
                onClick={() => rehearse(picked)}
              >
                <FlaskConical aria-hidden className="size-3.5" />
                {t("price.rehearseChosen", { count: picked.length })}
              </Button>
              {acceptable.length > 0 && (
                <ConfirmButton
                  disabled={!isRoot}
                  question={t("price.acceptAllQuestion", { count: acceptable.length })}
                  consequence={t("price.acceptAllConsequence")}
                  confirm={t("price.acceptAll", { count: acceptable.length })}
                  onConfirm={() => take(acceptable)}
                >
                  {t("price.acceptAll", { count: acceptable.length })}
                </ConfirmButton>
              )}
            </>
          }
          pagination={null}
        />
      )}
      {isIdle && (
        <div className="rounded-lg border border-line bg-surface">
          <EmptyState icon={<Tags />} title={t("price.idle.title")} text={t("price.idle.text")} />
        </div>
      )}
    </>
  );
};
