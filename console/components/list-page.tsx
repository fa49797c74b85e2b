import { PAGE_SIZE } from "@tollgate/contract/control/envelope";
import { RotateCw, SearchX, ServerOff } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useRememberList } from "../lib/list-address";
import type { ListSearch } from "../lib/list-search";
import type { List } from "../lib/use-list";
import { Button } from "./button";
import { type Column, DataTable } from "./data-table";
import { EmptyState } from "./empty-state";
import { EndOfRows } from "./end-of-rows";
import { PageFrame } from "./page-frame";
import { PageSize } from "./page-size";
import { Pagination } from "./pagination";
import { SearchField } from "./search-field";

interface ListPageProps<Row> {
  title: ReactNode;
  /** What the table lists, for screen readers. */
  label: string;
  description?: ReactNode;
  /** The search box's hint; no box without one. */
  searchPlaceholder?: string;
  /** A text to show in the search box without searching for it. */
  shownText?: string;
  /** Filters or a notice, above the table. */
  above?: ReactNode;
  list: List<Row>;
  columns: Column<Row>[];
  rowKey: (row: Row, index: number) => string | number;
  isFaint?: (row: Row) => boolean;
  search: ListSearch;
  onSearch: (change: ListSearch) => void;
  /** Buttons under the table, before the refresh button. */
  actions?: ReactNode;
  /** Shown when the list has no rows at all. */
  empty: ReactNode;
}

/** The frame of every list: heading, search, table, buttons, pages; and what stands there when there are no rows. */
export const ListPage = <Row,>({
  title,
  label,
  description,
  searchPlaceholder,
  shownText,
  above,
  list,
  columns,
  rowKey,
  isFaint,
  search,
  onSearch,
  actions,
  empty,
}: ListPageProps<Row>) => {
  const { t } = useTranslation();
  useRememberList();
  const nothing = list.error ? (
    <EmptyState icon={<ServerOff />} title={t("table.failed")} text={list.error.message}>
      <Button onClick={list.refresh}>{t("action.retry")}</Button>
    </EmptyState>
  ) : search.q ? (
    <EmptyState icon={<SearchX />} title={t("table.noMatch", { keyword: search.q })}>
      <Button onClick={() => onSearch({ q: undefined, page: undefined })}>{t("action.clearSearch")}</Button>
    </EmptyState>
  ) : (
    empty
  );
  return (
    <PageFrame
      title={title}
      description={description}
      aside={
        searchPlaceholder && (
          <SearchField
            keyword={search.q ?? ""}
            shownText={shownText}
            placeholder={searchPlaceholder}
            onSearch={(q) => {
              // The same keyword again means: look once more.
              if (q === (search.q ?? "")) list.refresh();
              else onSearch({ q: q === "" ? undefined : q, page: undefined });
            }}
          />
        )
      }
    >
      {above}
      <DataTable
        label={label}
        columns={columns}
        rows={list.error ? [] : list.rows}
        rowKey={rowKey}
        isFaint={isFaint}
        sort={search.sort}
        onSort={(sort) => onSearch({ sort, page: undefined })}
        end={
          list.hasRoom && (
            <EndOfRows isGrowing={list.isGrowing} hasFailed={list.hasGrowingFailed} onReach={list.grow} />
          )
        }
        empty={nothing}
        actions={
          <>
            {actions}
            <Button onClick={list.refresh} isBusy={list.isRefreshing}>
              {!list.isRefreshing && <RotateCw aria-hidden className="size-3.5" />}
              {t("action.refresh")}
            </Button>
          </>
        }
        pagination={
          <div className="ms-auto flex flex-wrap items-center justify-end gap-x-2">
            {(search.size !== undefined || list.pageCount > 1 || list.canGrow) && (
              <PageSize
                size={search.size}
                onSize={(size) => onSearch({ size: size === PAGE_SIZE ? undefined : size, page: undefined })}
              />
            )}
            <Pagination
              page={list.page}
              pageCount={list.pageCount}
              canGrow={list.canGrow}
              isGrowing={list.isGrowing}
              onPage={(page) => onSearch({ page: page > 1 ? page : undefined })}
            />
          </div>
        }
      />
    </PageFrame>
  );
};
