import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { API_KEY_FILTERS, type ApiKey } from "@tollgate/contract/api/api-keys";
import { AUTO_GROUP } from "@tollgate/contract/values/auto-group";
import { TOKEN_DISABLED } from "@tollgate/contract/values/statuses";
import { KeyRound } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { AddLink } from "../../components/add-link";
import { BodyNotice } from "../../components/body-notice";
import { buttonVariants } from "../../components/button";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { LazyBoundary } from "../../components/lazy-boundary";
import { ListPage } from "../../components/list-page";
import { useActionsColumn } from "../../components/row-actions";
import { useBoxes } from "../../components/selection-boxes";
import { loadTexts } from "../../lib/i18n";
import { hasListExtra } from "../../lib/status";
import { usableGroupsQuery } from "../../lib/usable-groups-query";
import { useChosenColumns } from "../../lib/use-chosen-columns";
import type { List } from "../../lib/use-list";
import type { FilterChoice } from "../../lib/use-list-filter";
import { useNarrowedList } from "../../lib/use-narrowed-list";
import { useSelection } from "../../lib/use-selection";
import { ApiKeyActions } from "./api-key-actions";
import { foundApiKeys, queriedApiKeys, tokenPages } from "./api-key-queries";
import { useApiKeyWindows } from "./api-key-windows";
import { useApiKeyColumns, useStateFilter } from "./use-api-key-columns";

// Loaded with the first selection.
const loadActionBar = async () => {
  const [bar] = await Promise.all([import("./keys-action-bar"), loadTexts(["batch", "limits", "groups"])]);
  return bar;
};

interface ColumnActions {
  onShowKey: (key: string) => void;
  onConnect: (token: ApiKey) => void;
  onRotate: (token: ApiKey) => void;
}

/** The columns of the token list. */
const useColumns = ({ onShowKey, onConnect, onRotate }: ColumnActions): Column<ApiKey>[] => [
  ...useApiKeyColumns(),
  useActionsColumn((token) => (
    <ApiKeyActions
      token={token}
      onShowKey={onShowKey}
      onConnect={() => onConnect(token)}
      onRotate={() => onRotate(token)}
    />
  )),
];

/** Calls back with the key just created in the form, once the list has it: its owner wants to use it. */
const useAddedToken = ({ rows, isRefreshing }: List<ApiKey>, onAdded: (token: ApiKey) => void): void => {
  const { state } = useLocation();
  const navigate = useNavigate();
  const { newRow } = state;
  // The previous rows may contain another key of that name.
  const added = newRow === undefined || isRefreshing ? undefined : rows?.find(({ name }) => name === newRow);
  // An effect, because the history is outside React: its entry would repeat this after a reload.
  useEffect(() => {
    if (!added) return;
    onAdded(added);
    void navigate({ to: "/token", replace: true, state: {} });
  }, [added, onAdded, navigate]);
};

/** The possible groups of keys; empty if the server cannot filter by them. */
const useGroupFilter = (isOffered: boolean): FilterChoice[] => {
  const { t } = useTranslation();
  const { data } = useQuery({ ...usableGroupsQuery, enabled: isOffered });
  if (!data || data.groups.length === 0) return [];
  const choices = data.groups.map(({ name }) => [name, name] as const);
  return [
    {
      column: "group",
      label: t("keyGroup.label"),
      choices: [[AUTO_GROUP, t("keyGroup.auto")], ...choices],
    },
  ];
};

/** /token: the user's own API keys. */
export const ApiKeyListPage = () => {
  const { t } = useTranslation();
  const [shownKey, setShownKey] = useState<string>();
  const { windows, onConnect, onRotate } = useApiKeyWindows();
  const columns = useColumns({ onShowKey: setShownKey, onConnect, onRotate });
  const { shown, choices } = useChosenColumns("token", columns);
  const page = useNarrowedList({
    pages: tokenPages,
    queried: queriedApiKeys,
    found: foundApiKeys,
    columns,
    kinds: API_KEY_FILTERS,
  });
  const filters = [useStateFilter(), ...useGroupFilter(page.narrowed.isOffered)];
  useAddedToken(page.list, onConnect);
  const selection = useSelection();
  const withBoxes = useBoxes(selection, page.list.rows, ({ name }) => name);
  const canChoose = hasListExtra("batches");
  return (
    <>
      {windows}
      <ListPage
        {...page}
        title={t("token.title")}
        label={t("token.title")}
        description={t("token.description")}
        searchPlaceholder={t("token.search")}
        shownText={shownKey}
        above={
          <>
            <BodyNotice text={t("token.bodiesKept")} />
            {selection.chosen.size > 0 && (
              <LazyBoundary
                load={loadActionBar}
                with={{ selection, query: { keyword: page.search.q, ...page.narrowed.filter } }}
              />
            )}
          </>
        }
        filters={filters}
        columns={canChoose ? shown.map((column, index) => (index === 0 ? withBoxes(column) : column)) : shown}
        columnChoices={choices}
        rowKey={(token) => token.id}
        isFaint={(token) => token.status === TOKEN_DISABLED}
        onSearch={(next) => {
          setShownKey(undefined);
          page.onSearch(next);
        }}
        primary={<AddLink to="/token/add">{t("token.add")}</AddLink>}
        empty={
          <EmptyState icon={<KeyRound />} title={t("token.emptyTitle")} text={t("token.emptyText")}>
            <Link to="/token/add" className={buttonVariants({ variant: "plain" })}>
              {t("token.first")}
            </Link>
          </EmptyState>
        }
      />
    </>
  );
};
