import { useQuery } from "@tanstack/react-query";
import type { PriceDraftState, PriceDraftSummary } from "@tollgate/contract/management/price-draft";
import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { StateMark, type Tone } from "../../components/badge";
import { type Column, DataTable } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { FailedState } from "../../components/failed-state";
import { useActionsColumn } from "../../components/row-actions";
import { formatCount, formatTime } from "../../lib/format";
import { sortRows } from "../../lib/sort-rows";
import { DraftActions } from "./draft-actions";
import { draftsQuery } from "./price-draft-queries";

const TONES: Record<PriceDraftState, Tone> = {
  draft: "yellow",
  scheduled: "olive",
  published: "green",
  discarded: "grey",
};

const useColumns = (onOpen: (id: string) => void): Column<PriceDraftSummary>[] => {
  const { t } = useTranslation();
  return [
    {
      id: "name",
      label: t("rehearsal.name"),
      cell: (draft) => (
        <button
          type="button"
          className="break-all text-start text-accent hover:underline"
          onClick={() => onOpen(String(draft.id))}
        >
          {draft.name}
        </button>
      ),
      sortBy: ({ name }) => name,
      card: "head",
      className: "wide:min-w-48",
    },
    {
      id: "state",
      label: t("rehearsal.stateLabel"),
      cell: ({ state, conflict_count, fault }) => (
        <StateMark tone={conflict_count > 0 || fault !== "" ? "red" : TONES[state]}>
          {conflict_count > 0 ? t("rehearsal.conflicting") : t(`rehearsal.state.${state}`)}
        </StateMark>
      ),
      sortBy: ({ state }) => state,
    },
    {
      id: "changes",
      label: t("rehearsal.changes"),
      cell: ({ change_count }) => <span className="tabular-nums">{formatCount(change_count)}</span>,
      sortBy: ({ change_count }) => change_count,
      isNumber: true,
    },
    {
      id: "holds",
      label: t("rehearsal.holdsFrom"),
      cell: ({ holds_from }) => (
        <span className="whitespace-nowrap tabular-nums">
          {holds_from === 0 ? "–" : formatTime(holds_from)}
        </span>
      ),
      sortBy: ({ holds_from }) => holds_from,
    },
    {
      id: "author",
      label: t("rehearsal.author"),
      cell: ({ author }) => <span className="break-all">{author}</span>,
      sortBy: ({ author }) => author,
    },
    {
      id: "changed",
      label: t("rehearsal.changedAt"),
      cell: ({ changed_at }) => (
        <span className="whitespace-nowrap tabular-nums">{formatTime(changed_at)}</span>
      ),
      sortBy: ({ changed_at }) => changed_at,
    },
    useActionsColumn((draft) => <DraftActions draft={draft} />),
  ];
};

/** All drafts, with their state. */
export const DraftList = ({ onOpen }: { onOpen: (id: string) => void }) => {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(draftsQuery);
  const [sort, setSort] = useState<string>();
  const columns = useColumns(onOpen);
  return (
    <DataTable
      label={t("rehearsal.drafts")}
      columns={columns}
      rows={error ? [] : data && sortRows(data, sort, columns)}
      rowKey={({ id }) => id}
      isFaint={({ state }) => state === "discarded"}
      sort={sort}
      onSort={setSort}
      empty={
        error ? (
          <FailedState error={error} onRetry={() => void refetch()} />
        ) : (
          <EmptyState
            icon={<FlaskConical />}
            title={t("rehearsal.none.title")}
            text={t("rehearsal.none.text")}
          />
        )
      }
      actions={null}
      pagination={null}
    />
  );
};
