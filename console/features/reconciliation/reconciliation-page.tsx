import { useQuery } from "@tanstack/react-query";
import type { ReconciliationSummary } from "@tollgate/contract/management/reconciliation";
import { Scale } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AdminsOnly } from "../../components/admins-only";
import { Button } from "../../components/button";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ListPage } from "../../components/list-page";
import { PageFrame, Panel } from "../../components/page-frame";
import { PanelLoading } from "../../components/panel-loading";
import { numberColumn } from "../../components/plain-columns";
import { useActionsColumn } from "../../components/row-actions";
import { formatTime } from "../../lib/format";
import type { ListSearch } from "../../lib/list-search";
import { useSession } from "../../lib/session";
import { useAddress } from "../../lib/use-address";
import { useList } from "../../lib/use-list";
import { BillForm } from "./bill-form";
import { ReconciliationActions } from "./reconciliation-actions";
import { queriedReconciliations, reconciliationPages, reconciliationQuery } from "./reconciliation-queries";
import { formatAmount, formatDifference, ReconciliationTable } from "./reconciliation-table";

const readSearch = (search: Record<string, unknown>): { id?: number | undefined } => {
  const id = Number(search.id);
  return { id: Number.isInteger(id) && id > 0 ? id : undefined };
};

/** /reconciliation: upstreams' bills compared with the expected amounts; for administrators. */
export const ReconciliationPage = () => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("profit");
  const [{ id }, change] = useAddress(readSearch);
  if (!isAdmin)
    return (
      <PageFrame title={t("reconciliation.title")}>
        <Panel>
          <AdminsOnly title={t("reconciliation.forAdmins")} />
        </Panel>
      </PageFrame>
    );
  return (
    <PageFrame title={t("reconciliation.title")} description={t("reconciliation.description")}>
      {id === undefined ? (
        <>
          <BillForm onDone={(done) => change({ id: done.id })} />
          <Stored onOpen={(opened) => change({ id: opened })} />
        </>
      ) : (
        <One id={id} onBack={() => change({ id: undefined })} />
      )}
    </PageFrame>
  );
};

const One = ({ id, onBack }: { id: number; onBack: () => void }) => {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(reconciliationQuery(id));
  if (!data) return <PanelLoading error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-ink-2 tabular-nums">
          {t("reconciliation.about", {
            channel: data.channel_name || `#${data.channel}`,
            from: formatTime(data.first_at),
            to: formatTime(data.last_at),
          })}
        </p>
        <Button onClick={onBack}>{t("reconciliation.back")}</Button>
      </div>
      <ReconciliationTable reconciliation={data} />
    </>
  );
};

const useColumns = (onOpen: (id: number) => void): Column<ReconciliationSummary>[] => {
  const { t } = useTranslation();
  return [
    {
      id: "channel",
      label: t("field.channel"),
      cell: ({ id, channel, channel_name }) => (
        <button
          type="button"
          className="touch text-start font-medium underline-offset-2 hover:underline"
          onClick={() => onOpen(id)}
        >
          {channel_name || `#${channel}`}
        </button>
      ),
      sortBy: ({ channel_name }) => channel_name,
      card: "head",
    },
    {
      id: "source",
      label: t("reconciliation.source"),
      cell: ({ source }) => t(`reconciliation.sources.${source}`),
    },
    {
      id: "time",
      label: t("reconciliation.time"),
      cell: ({ first_at, last_at }) => (
        <span className="tabular-nums">{`${formatTime(first_at)} – ${formatTime(last_at)}`}</span>
      ),
      sortBy: ({ first_at }) => first_at,
    },
    numberColumn("expected", t("reconciliation.column.expected"), ({ expected }) => expected, formatAmount),
    numberColumn("billed", t("reconciliation.column.billed"), ({ billed }) => billed, formatAmount),
    {
      id: "percent",
      label: t("reconciliation.column.percent"),
      cell: formatDifference,
      sortBy: ({ expected, billed }) => billed - expected,
      isNumber: true,
    },
    {
      id: "made",
      label: t("reconciliation.made"),
      cell: ({ created_at, created_by }) => `${formatTime(created_at)} · ${created_by}`,
      sortBy: ({ created_at }) => created_at,
    },
    useActionsColumn((row) => <ReconciliationActions row={row} />),
  ];
};

/** Earlier comparisons. */
const Stored = ({ onOpen }: { onOpen: (id: number) => void }) => {
  const { t } = useTranslation();
  const [search, setSearch] = useState<ListSearch>({});
  const columns = useColumns(onOpen);
  const list = useList({ pages: reconciliationPages, queried: queriedReconciliations, search, columns });
  return (
    <ListPage
      isPart
      title={t("reconciliation.stored")}
      label={t("reconciliation.stored")}
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      search={search}
      onSearch={(next) => setSearch((now) => ({ ...now, ...next }))}
      empty={
        <EmptyState
          icon={<Scale />}
          title={t("reconciliation.empty.title")}
          text={t("reconciliation.empty.text")}
        />
      }
    />
  );
};
