import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MODEL_TRAITS, type PricedModel, type PricingAnswer } from "@tollgate/contract/api/pricing";
import { Copy, Lock, Plug, Tags } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge";
import { Button, buttonVariants } from "../../components/button";
import { type Column, DataTable } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { FailedState } from "../../components/failed-state";
import { PageFrame, Panel } from "../../components/page-frame";
import { RecordLink } from "../../components/record-link";
import { SearchField } from "../../components/search-field";
import { Select } from "../../components/select";
import { copyOrShow } from "../../lib/copy";
import { currencyName } from "../../lib/currency-name";
import { isInDollars } from "../../lib/exact-quota";
import { isShownInCurrency } from "../../lib/format";
import { useSession } from "../../lib/session";
import { sortRows } from "../../lib/sort-rows";
import { useStatus } from "../../lib/status";
import { useAddress } from "../../lib/use-address";
import { pricingQuery } from "./pricing-query";
import { CONTEXTS, type PricingSearch, readPricingSearch } from "./pricing-search";
import { formatPrice, formatTokens, priceDecimals, type ShownPrice, shownPrice } from "./shown-price";

/** A row of the table: a model and its price in the chosen group. */
interface Row {
  model: PricedModel;
  vendor: string;
  price: ShownPrice;
}

/** /pricing: prices of models for the user, in the groups that they may use. */
export const PricingPage = () => {
  const { t } = useTranslation();
  const { user } = useSession();
  const status = useStatus();
  const shown = status?.price_page;
  if (shown === "public" || (shown === "signed-in" && user)) return <Prices />;
  const isForUsers = shown === "signed-in";
  return (
    <PageFrame title={t("pricing.title")}>
      <Panel>
        <EmptyState
          icon={<Lock />}
          title={t(isForUsers ? "pricing.signInFirst" : "pricing.off")}
          text={t(isForUsers ? "pricing.signInText" : "pricing.offText")}
        >
          {isForUsers && (
            <Link to="/login" className={buttonVariants({ variant: "primary" })}>
              {t("pricing.signIn")}
            </Link>
          )}
        </EmptyState>
      </Panel>
    </PageFrame>
  );
};

const Prices = () => {
  const { t, i18n } = useTranslation();
  const { data, error, refetch } = useQuery(pricingQuery);
  const [search, change] = useAddress(readPricingSearch);
  const group = data?.groups.find(({ name }) => name === search.group) ?? data?.groups[0];
  const rows = useMemo(() => data && group && rowsOf(data, group, search), [data, group, search]);
  const columns = useColumns(change, rows ?? NO_ROWS);
  const inMoney = isInDollars()
    ? t("pricing.inDollars")
    : t("pricing.inCurrency", { currency: currencyName(i18n.language) });
  const unit = isShownInCurrency() ? inMoney : t("pricing.inPoints");
  if (error && !data)
    return (
      <PageFrame title={t("pricing.title")}>
        <Panel>
          <FailedState error={error} onRetry={() => void refetch()} />
        </Panel>
      </PageFrame>
    );
  return (
    <PageFrame
      title={t("pricing.title")}
      description={unit}
      aside={
        <SearchField
          keyword={search.q ?? ""}
          placeholder={t("pricing.search")}
          onSearch={(q) => change({ q: q || undefined })}
        />
      }
    >
      {data && group && <Filters answer={data} group={group.name} search={search} onChange={change} />}
      <DataTable
        // Remounts the placeholder rows when the filters appear.
        key={data ? "rows" : "loading"}
        label={t("pricing.title")}
        columns={columns}
        rows={data ? sortRows(rows ?? [], search.sort, columns) : undefined}
        rowKey={({ model }) => model.model_name}
        sort={search.sort}
        onSort={(sort) => change({ sort })}
        empty={<EmptyState icon={<Tags />} title={t("pricing.none")} text={t("pricing.noneText")} />}
        actions={null}
        pagination={
          rows && <p className="text-sm text-ink-2">{t("pricing.shown", { amount: rows.length })}</p>
        }
      />
    </PageFrame>
  );
};

const rowsOf = (
  { data, vendors }: PricingAnswer,
  { name, ratio }: PricingAnswer["groups"][number],
  { q = "", vendor, trait, context = 0 }: PricingSearch,
): Row[] => {
  const nameOf = new Map(vendors.map((each) => [each.id, each.name]));
  const sought = q.toLowerCase();
  return data
    .filter((model) => model.enable_groups.includes(name))
    .map((model) => ({
      model,
      vendor: nameOf.get(model.vendor_id ?? 0) ?? "",
      price: shownPrice(model, name, Number(ratio)),
    }))
    .filter(
      (row) =>
        `${row.model.model_name} ${row.vendor}`.toLowerCase().includes(sought) &&
        (vendor === undefined || row.vendor === vendor) &&
        (row.model.context ?? 0) >= context &&
        (trait === undefined || (row.model.traits ?? []).some((each) => each === trait)),
    );
};

const NO_ROWS: readonly Row[] = [];

/** Sorts unknown prices last. */
const orLast = (usd: number | undefined): number => usd ?? Number.POSITIVE_INFINITY;

const Amount = ({ usd, places }: { usd: number | undefined; places: number }) =>
  usd === undefined ? (
    <span className="text-ink-3">–</span>
  ) : (
    <span className="tabular-nums">{formatPrice(usd, places)}</span>
  );

const useColumns = (change: (next: PricingSearch) => void, rows: readonly Row[]): Column<Row>[] => {
  const { t } = useTranslation();
  const places = useMemo(() => {
    const of = (id: "input" | "output" | "cacheRead" | "cacheWrite") =>
      priceDecimals(rows.map(({ price }) => price[id]));
    return {
      input: of("input"),
      output: of("output"),
      cacheRead: of("cacheRead"),
      cacheWrite: of("cacheWrite"),
    };
  }, [rows]);
  const priceColumn = (id: "output" | "cacheRead" | "cacheWrite"): Column<Row> => ({
    id,
    label: t(`pricing.${id}`),
    cell: ({ price }) => <Amount usd={price[id]} places={places[id]} />,
    sortBy: ({ price }) => orLast(price[id]),
    isNumber: true,
  });
  return [
    {
      id: "model",
      label: t("pricing.model"),
      cell: (row) => <ModelName row={row} onShow={(q) => change({ q })} />,
      sortBy: ({ model }) => model.model_name,
      card: "head",
      className: "min-w-48",
    },
    {
      id: "input",
      label: t("pricing.input"),
      cell: ({ price }) =>
        price.perCall === undefined ? (
          <Amount usd={price.input} places={places.input} />
        ) : (
          <span className="whitespace-nowrap">
            {t("pricing.perCall", { price: formatPrice(price.perCall) })}
          </span>
        ),
      sortBy: ({ price }) => orLast(price.perCall ?? price.input),
      isNumber: true,
    },
    priceColumn("output"),
    priceColumn("cacheRead"),
    priceColumn("cacheWrite"),
    {
      id: "context",
      label: t("pricing.context"),
      cell: ({ model }) =>
        model.context === undefined ? <span className="text-ink-3">–</span> : formatTokens(model.context),
      sortBy: ({ model }) => model.context ?? 0,
      isNumber: true,
    },
    {
      id: "notes",
      label: t("pricing.notes"),
      cell: (row) => <Notes row={row} />,
      className: "min-w-40",
    },
  ];
};

const ModelName = ({ row: { model, vendor }, onShow }: { row: Row; onShow: (text: string) => void }) => {
  const { t } = useTranslation();
  const name = model.model_name;
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className="min-w-0 wide:flex wide:items-baseline wide:gap-x-2">
        <span className="block break-all font-medium font-mono text-sm">
          <RecordLink kind="model" id={name} />
        </span>
        {vendor !== "" && <span className="block text-xs text-ink-2 wide:whitespace-nowrap">{vendor}</span>}
      </span>
      <Button
        variant="quiet"
        size="smallIcon"
        aria-label={t("pricing.copy", { name })}
        onClick={() => void copyOrShow(name, onShow)}
      >
        <Copy aria-hidden className="size-3.5" />
      </Button>
      <Link
        to="/model/$name"
        params={{ name }}
        search={{ tab: "connect" } as never}
        aria-label={t("pricing.use", { name })}
        title={t("pricing.use", { name })}
        className={buttonVariants({ variant: "quiet", size: "smallIcon" })}
      >
        <Plug aria-hidden className="size-3.5" />
      </Link>
    </span>
  );
};

/** Notes on a price, and the model's purpose. */
const Notes = ({ row: { model, price } }: { row: Row }) => {
  const { t } = useTranslation();
  const firstTier = price.tiers?.[0];
  return (
    <span className="flex flex-wrap gap-1 xl:flex-nowrap">
      {price.rule !== undefined && <Badge tone="green">{t("pricing.yours", { name: price.rule })}</Badge>}
      {(model.traits ?? []).map((trait) => (
        <Badge key={trait}>{t(`pricing.trait.${trait}`)}</Badge>
      ))}
      {price.audioInput !== undefined && (
        <Badge>
          {t("pricing.sound", {
            input: formatPrice(price.audioInput),
            output: price.audioOutput === undefined ? "–" : formatPrice(price.audioOutput),
          })}
        </Badge>
      )}
      {firstTier && (
        <Badge tone="yellow">{t("pricing.tier", { tokens: formatTokens(firstTier.above) })}</Badge>
      )}
    </span>
  );
};

const ALL = "";

interface FiltersProps {
  answer: PricingAnswer;
  group: string;
  search: PricingSearch;
  onChange: (next: PricingSearch) => void;
}

const Filters = ({ answer, group, search, onChange }: FiltersProps) => {
  const { t } = useTranslation();
  const { groups, vendors, data } = answer;
  const isContextKnown = data.some(({ context }) => context !== undefined);
  const known = MODEL_TRAITS.filter((trait) => data.some(({ traits }) => traits?.includes(trait)));
  return (
    <div className="flex flex-wrap gap-2">
      <Select
        label={t("pricing.group")}
        className="w-full wide:w-64"
        value={group}
        onChange={(next) => onChange({ group: next })}
        groups={[
          {
            label: t("pricing.group"),
            options: groups.map(({ name, ratio, description }) => ({
              value: name,
              label: [name, `× ${ratio}`, description].filter(Boolean).join(" · "),
            })),
          },
        ]}
      />
      {vendors.length > 1 && (
        <Select
          label={t("pricing.vendor")}
          className="min-w-36 flex-1 wide:w-48 wide:flex-none"
          value={search.vendor ?? ALL}
          onChange={(vendor) => onChange({ vendor: vendor || undefined })}
          groups={[
            {
              options: [
                { value: ALL, label: t("pricing.allVendors") },
                ...vendors
                  .map(({ name }) => ({ value: name, label: name }))
                  .sort((a, b) => (a.label < b.label ? -1 : 1)),
              ],
            },
          ]}
        />
      )}
      {known.length > 1 && (
        <Select
          label={t("pricing.traits")}
          className="min-w-36 flex-1 wide:w-48 wide:flex-none"
          value={search.trait ?? ALL}
          onChange={(trait) => onChange({ trait: trait || undefined })}
          groups={[
            {
              options: [
                { value: ALL, label: t("pricing.allTraits") },
                ...known.map((trait) => ({ value: trait, label: t(`pricing.trait.${trait}`) })),
              ],
            },
          ]}
        />
      )}
      {isContextKnown && (
        <Select
          label={t("pricing.context")}
          className="min-w-36 flex-1 wide:w-48 wide:flex-none"
          value={search.context === undefined ? ALL : String(search.context)}
          onChange={(context) => onChange({ context: Number(context) || undefined })}
          groups={[
            {
              options: [
                { value: ALL, label: t("pricing.anyContext") },
                ...CONTEXTS.map((tokens) => ({
                  value: String(tokens),
                  label: t("pricing.contextFrom", { tokens: formatTokens(tokens) }),
                })),
              ],
            },
          ]}
        />
      )}
    </div>
  );
};
