import { useQuery } from "@tanstack/react-query";
import type { PriceRuleWire } from "@tollgate/contract/management/price-rule";
import { Plus, Tag } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AdminsOnly } from "../../components/admins-only";
import { Badge, StateMark } from "../../components/badge";
import { Button } from "../../components/button";
import { type Column, DataTable } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { FailedState } from "../../components/failed-state";
import { groupTone } from "../../components/group-badges";
import { PageFrame, Panel } from "../../components/page-frame";
import { useActionsColumn } from "../../components/row-actions";
import { SearchField } from "../../components/search-field";
import { useSession } from "../../lib/session";
import { sortRows } from "../../lib/sort-rows";
import { useAddress } from "../../lib/use-address";
import { PriceRuleActions } from "./price-rule-actions";
import { priceRulesQuery } from "./price-rules-query";
import { priceOf } from "./rule-form";
import { RulePreview } from "./rule-preview";
import { RuleWindow } from "./rule-window";
import { formatPrice } from "./shown-price";

/** /pricing/rules: prices for single customers, groups and models; for administrators. */
export const PriceRulesPage = () => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("prices");
  if (isAdmin) return <Rules />;
  return (
    <PageFrame title={t("priceRule.title")}>
      <Panel>
        <AdminsOnly title={t("priceRule.forAdmins")} />
      </Panel>
    </PageFrame>
  );
};

interface RulesSearch {
  /** The customer of a new rule. */
  user?: string | undefined;
  /** The name of the rule to edit. */
  rule?: string | undefined;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

const readRulesSearch = ({ user, rule }: Record<string, unknown>): RulesSearch => ({
  user: textOf(user),
  rule: textOf(rule),
});

const Rules = () => {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(priceRulesQuery);
  const [keyword, setKeyword] = useState("");
  const [sort, setSort] = useState<string>();
  /** "new", or the edited rule. */
  const [{ user, rule }, change] = useAddress(readRulesSearch);
  const [chosen, setEdited] = useState<PriceRuleWire | "new">();
  const { isRoot } = useSession();
  // Other administrators may not change a rule without a customer.
  const named = data?.rules.find((each) => each.name === rule && (isRoot || each.rule.user !== undefined));
  // The window keeps the rule as it was opened, even if a later read has another one or none.
  const [opened, setOpened] = useState<PriceRuleWire>();
  const kept = rule === opened?.name ? opened : named;
  if (kept !== opened) setOpened(kept);
  const edited = chosen ?? kept ?? (user === undefined ? undefined : "new");
  const columns = useColumns(setEdited);
  const sought = keyword.toLowerCase();
  const found = data?.rules.filter(({ name, username, rule: { models, group = "" } }) =>
    `${name} ${username} ${models} ${group}`.toLowerCase().includes(sought),
  );
  const add = (
    <Button variant="primary" aria-haspopup="dialog" onClick={() => setEdited("new")}>
      <Plus aria-hidden className="size-4" />
      {t("priceRule.add")}
    </Button>
  );
  return (
    <PageFrame
      title={t("priceRule.title")}
      description={t("priceRule.description")}
      aside={
        <div className="flex w-full flex-wrap items-center gap-2 wide:w-auto">
          <SearchField keyword={keyword} placeholder={t("priceRule.search")} onSearch={setKeyword} />
          {add}
        </div>
      }
    >
      {error && !data ? (
        <Panel>
          <FailedState error={error} onRetry={() => void refetch()} />
        </Panel>
      ) : (
        <DataTable
          label={t("priceRule.title")}
          columns={columns}
          rows={found && sortRows(found, sort, columns)}
          rowKey={({ name }) => name}
          isFaint={(row) => stateOf(row) === "over"}
          sort={sort}
          onSort={setSort}
          empty={<EmptyState icon={<Tag />} title={t("priceRule.none")} text={t("priceRule.noneText")} />}
          actions={null}
          pagination={null}
        />
      )}
      {data && <RulePreview />}
      {edited && data && (
        <RuleWindow
          rule={edited === "new" ? undefined : edited}
          username={user}
          version={data.price_version}
          onClose={() => {
            setEdited(undefined);
            if (user !== undefined || rule !== undefined) change({ user: undefined, rule: undefined });
          }}
        />
      )}
    </PageFrame>
  );
};

const momentOf = (text: string | undefined, otherwise: number): number =>
  text === undefined ? otherwise : Date.parse(text);

const stateOf = ({ rule: { from, until } }: PriceRuleWire): "holds" | "later" | "over" => {
  const now = Date.now();
  if (momentOf(until, Number.POSITIVE_INFINITY) <= now) return "over";
  return momentOf(from, 0) > now ? "later" : "holds";
};

const TONES = { holds: "green", later: "yellow", over: "grey" } as const;

const useColumns = (onEdit: (rule: PriceRuleWire) => void): Column<PriceRuleWire>[] => {
  const { t } = useTranslation();
  return [
    {
      id: "name",
      label: t("field.name"),
      cell: ({ name, rule }) => (
        <span className="block min-w-0">
          <span className="block break-words font-medium">{name}</span>
          {rule.note && <span className="block break-words text-xs text-ink-2">{rule.note}</span>}
        </span>
      ),
      sortBy: ({ name }) => name,
      card: "head",
      className: "min-w-36",
    },
    {
      id: "state",
      label: t("field.status"),
      cell: (row) => <StateMark tone={TONES[stateOf(row)]}>{t(`priceRule.state.${stateOf(row)}`)}</StateMark>,
      sortBy: stateOf,
      card: "side",
    },
    { id: "for", label: t("priceRule.for"), cell: (row) => <Subject row={row} /> },
    {
      id: "models",
      label: t("priceRule.models"),
      cell: ({ rule }) => (
        <span className="inline-flex flex-wrap items-center gap-1">
          <code className="break-all text-sm">{rule.models}</code>
          {rule.names === "requested" && <Badge>{t("priceRule.byRequested")}</Badge>}
        </span>
      ),
      sortBy: ({ rule }) => rule.models,
    },
    { id: "what", label: t("priceRule.what"), cell: (row) => <What row={row} />, className: "min-w-36" },
    {
      id: "time",
      label: t("priceRule.time"),
      cell: ({ rule: { from, until } }) =>
        from === undefined && until === undefined ? (
          <span className="text-ink-3">{t("priceRule.always")}</span>
        ) : (
          `${from ?? "…"} – ${until ?? "…"}`
        ),
    },
    useActionsColumn((row) => <PriceRuleActions row={row} onEdit={() => onEdit(row)} />),
  ];
};

const Subject = ({ row: { username, rule } }: { row: PriceRuleWire }) => {
  const { t } = useTranslation();
  const gone = rule.user === undefined ? undefined : t("priceRule.userGone", { id: rule.user });
  const customer = username || gone;
  if (customer === undefined && rule.group === undefined) return <>{t("priceRule.everybody")}</>;
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      {customer !== undefined && <span className="break-all">{customer}</span>}
      {rule.group !== undefined && <Badge tone={groupTone(rule.group)}>{rule.group}</Badge>}
    </span>
  );
};

/** A rule's effect on the price, in short. */
const What = ({ row }: { row: PriceRuleWire }) => {
  const { t } = useTranslation();
  const { factor, ratio } = row.rule;
  const price = priceOf(row);
  const said: string[] = [];
  if (price && "perCall" in price) said.push(t("pricing.perCall", { price: formatPrice(price.perCall) }));
  else if (price)
    said.push(
      `${formatPrice(price.input)} → ${price.output === undefined ? "–" : formatPrice(price.output)}`,
    );
  if (ratio !== undefined) said.push(t("priceRule.byRatio", { ratio }));
  if (factor !== undefined) said.push(`× ${factor}`);
  return <span className="tabular-nums">{said.join(" · ")}</span>;
};
