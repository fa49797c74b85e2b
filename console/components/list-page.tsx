import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import { Bookmark, Columns3, RotateCw, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFixedAddress } from "../lib/fixed-address";
import { useRememberList } from "../lib/list-address";
import type { ListSearch } from "../lib/list-search";
import { knowsStatus } from "../lib/status";
import type { ColumnChoice } from "../lib/use-chosen-columns";
import type { List } from "../lib/use-list";
import type { FilterChoice, NarrowedList } from "../lib/use-list-filter";
import { Button } from "./button";
import { type Column, DataTable } from "./data-table";
import { EmptyState } from "./empty-state";
import { FailedState } from "./failed-state";
import { Late, LateMenu } from "./late-popup";
import { LazyBoundary } from "./lazy-boundary";
import { ListFilters } from "./list-filters";
import { PageFrame } from "./page-frame";
import { PageSize } from "./page-size";
import { Pagination } from "./pagination";
import { SearchField } from "./search-field";

// Loaded in parallel with the list.
const loadViews = async () => (await import("./saved-views")).loadSavedViews();

interface ListPageProps<Row> {
  title: ReactNode;
  /** The table's subject, for screen readers. */
  label: string;
  description?: ReactNode;
  /** It is part of another page, whose heading precedes its own. */
  isPart?: boolean;
  /** The search box's hint; no box without one. */
  searchPlaceholder?: string;
  /** A text to show in the search box without searching for it. */
  shownText?: string;
  /** Filters or a notice above the table. */
  above?: ReactNode;
  /** The possible filters and the active ones. */
  filters?: readonly FilterChoice[];
  narrowed?: NarrowedList;
  /** Buttons beside the retry of a sorted list that failed. */
  narrower?: ReactNode;
  /** Removes the other active filters; undefined without any. */
  onWiden?: (() => void) | undefined;
  list: List<Row>;
  columns: Column<Row>[];
  /** The columns that a user may show or hide; the browser stores the choice (lib/use-chosen-columns.ts). */
  columnChoices?: readonly ColumnChoice[];
  rowKey: (row: Row, index: number) => string | number;
  isFaint?: (row: Row) => boolean;
  search: ListSearch;
  onSearch: (change: ListSearch) => void;
  /** The most used action: a button beside the title. */
  primary?: ReactNode;
  /** Buttons under the table, before the refresh button. */
  actions?: ReactNode;
  /** Shown if the list has no rows at all. */
  empty: ReactNode;
}

/** The search and filters of the list. */
const useLookup = <Row,>({ list, filters = [], narrowed, onWiden, search, onSearch }: ListPageProps<Row>) => {
  const part = useFixedAddress();
  const fixed = part ?? {};
  const isNarrowed = Object.entries(narrowed?.filter ?? {}).some(
    ([column, value]) => value !== undefined && !(column in fixed),
  );
  return {
    isPart: part !== undefined,
    keyword: "q" in fixed ? undefined : search.q,
    filters: filters.filter(({ column }) => !(column in fixed)),
    isNarrowed,
    widen: onWiden ?? (isNarrowed ? narrowed?.clear : undefined),
    look: (q: string) => {
      // An empty keyword reads the list again, however recent it is (specification section 5).
      if (q === "") list.reload();
      onSearch({ q: q === "" ? undefined : q, page: undefined });
    },
  };
};

interface PartProps<Row> {
  page: ListPageProps<Row>;
  lookup: ReturnType<typeof useLookup<Row>>;
}

/** The frame of every list: heading, search, table, buttons, pages; or the reason for missing rows. */
export const ListPage = <Row,>(page: ListPageProps<Row>) => {
  const { list, columns, narrowed, search, onSearch } = page;
  const { t } = useTranslation();
  const lookup = useLookup(page);
  useRememberList();
  const { sorts } = list;
  const sortable = sorts
    ? columns.map((column) => (sorts.includes(column.id) ? column : { ...column, sortBy: undefined }))
    : columns;
  return (
    <PageFrame
      title={page.title}
      description={page.description}
      isPart={page.isPart}
      aside={<ListTools page={page} lookup={lookup} />}
    >
      {page.above}
      {narrowed && (narrowed.isOffered || !knowsStatus()) && (
        <div className="min-h-control-small max-wide:min-h-control">
          {narrowed.isOffered && (
            <ListFilters filters={lookup.filters} narrowed={{ ...narrowed, isNarrowed: lookup.isNarrowed }} />
          )}
        </div>
      )}
      <DataTable
        label={page.label}
        columns={sortable}
        rows={list.error ? [] : list.rows}
        rowKey={page.rowKey}
        isFaint={page.isFaint}
        sort={search.sort}
        onSort={(sort) => onSearch({ sort, page: undefined })}
        above={
          list.sortedRows !== undefined && (
            // Few lists are still incomplete when they are sorted.
            <LazyBoundary
              load={() => import("./sort-reach")}
              with={{
                count: list.sortedRows,
                isLoading: list.rows === undefined,
                error: list.growthError,
                onLoad: () => {
                  onSearch({ page: undefined });
                  list.grow();
                },
              }}
            />
          )
        }
        end={
          list.sortedRows === undefined &&
          (list.hasRoom || list.growthError) && (
            <LazyBoundary
              load={() => import("./end-of-rows")}
              with={{ isGrowing: list.isGrowing, error: list.growthError, onReach: list.grow }}
            />
          )
        }
        empty={<NoRows page={page} lookup={lookup} />}
        actions={
          <>
            {page.actions}
            <Button onClick={list.refresh} isBusy={list.isRefreshing}>
              {!list.isRefreshing && <RotateCw aria-hidden className="size-3.5" />}
              {t("action.refresh")}
            </Button>
          </>
        }
        pagination={<Pages list={list} search={search} onSearch={onSearch} />}
      />
    </PageFrame>
  );
};

/** Search, saved views, columns and the main button, beside the title. */
const ListTools = <Row,>({ page, lookup }: PartProps<Row>) => {
  const { list, search, searchPlaceholder, columnChoices, primary } = page;
  const { t } = useTranslation();
  // A list inside another page has no address that a view could save.
  const hasViews = !page.isPart && !lookup.isPart;
  if (!(searchPlaceholder || primary || columnChoices || hasViews)) return null;
  return (
    <div className="flex w-full flex-wrap items-center gap-2 wide:w-auto">
      {searchPlaceholder && (
        <SearchField
          keyword={search.q ?? ""}
          shownText={page.shownText}
          placeholder={searchPlaceholder}
          onSearch={(q) => {
            // Submitting the same keyword repeats the search.
            if (q === (search.q ?? "")) list.refresh();
            else lookup.look(q);
          }}
        />
      )}
      {hasViews && (
        <Late
          load={loadViews}
          trigger={
            <Button size="icon" aria-label={t("table.views")} title={t("table.views")}>
              <Bookmark aria-hidden className="size-4" />
            </Button>
          }
          with={{}}
        />
      )}
      {columnChoices && (
        <LateMenu
          trigger={
            <Button size="icon" aria-label={t("table.columns")} title={t("table.columns")}>
              <Columns3 aria-hidden className="size-4" />
            </Button>
          }
          entries={columnChoices.map(({ label, isShown, toggle }) => ({
            label,
            isChecked: isShown,
            onSelect: toggle,
          }))}
        />
      )}
      {primary}
    </div>
  );
};

/** Shown in place of rows: a failure, no match, or an empty list. */
const NoRows = <Row,>({ page, lookup: { keyword, widen, look } }: PartProps<Row>) => {
  const { list, narrowed, search, onSearch, empty } = page;
  const { t } = useTranslation();
  if (list.error)
    return (
      <FailedState error={list.error} onRetry={list.refresh}>
        {search.sort !== undefined && (
          <Button onClick={() => onSearch({ sort: undefined, page: undefined })}>
            {t("table.clearSort")}
          </Button>
        )}
        {search.sort !== undefined && page.narrower}
      </FailedState>
    );
  if (!keyword && !widen && !narrowed?.isNarrowed) return empty;
  return (
    <EmptyState icon={<SearchX />} title={keyword ? t("table.noMatch", { keyword }) : t("table.noneFits")}>
      {keyword && <Button onClick={() => look("")}>{t("action.clearSearch")}</Button>}
      {widen && <Button onClick={widen}>{t("table.clearFilters")}</Button>}
    </EmptyState>
  );
};

/** The pages of the list, and the choice of rows per page. */
const Pages = <Row,>({
  list,
  search,
  onSearch,
}: Pick<ListPageProps<Row>, "list" | "search" | "onSearch">) => (
  <div className="ms-auto flex flex-wrap items-center justify-end gap-x-2">
    {(search.size !== undefined || list.pageCount > 1) && (
      <PageSize
        size={search.size}
        onSize={(size) => onSearch({ size: size === PAGE_SIZE ? undefined : size, page: undefined })}
      />
    )}
    <Pagination
      page={list.page}
      pageCount={list.pageCount}
      isGrowing={list.isGrowing}
      hasFailed={list.growthError !== null && list.sortedRows === undefined}
      onPage={(page) => {
        // A step to rows that did not load requests them again.
        if (page > list.pageCount) list.grow();
        onSearch({ page: page > 1 ? page : undefined });
      }}
    />
  </div>
);
