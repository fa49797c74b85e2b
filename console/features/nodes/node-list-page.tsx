import { useQuery } from "@tanstack/react-query";
import type { Node } from "@tollgate/contract/api/nodes";
import { RotateCw, Server } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { DataTable } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { FailedState } from "../../components/failed-state";
import { PageFrame, Panel } from "../../components/page-frame";
import { failureText } from "../../lib/failure-text";
import { formatDate } from "../../lib/format";
import { sortRows } from "../../lib/sort-rows";
import { useListSearch } from "../../lib/use-list-search";
import { useNodeColumns } from "./node-columns";
import { NodeTotals } from "./node-totals";
import { nodesQuery, REFRESH_MS } from "./nodes-query";

/** Identifies a node: by its epoch, else by its process. */
const keyOf = (node: Node): string => String(node.id ?? node.address ?? "");

/** /node: the processes of this installation, their work and health; for root. */
export const NodeListPage = () => {
  const { t } = useTranslation();
  const { data, error, dataUpdatedAt, refetch } = useQuery(nodesQuery);
  const [search, change] = useListSearch();
  const nodes = data?.nodes;
  const columns = useNodeColumns(nodes ?? []);
  const updatedAt = formatDate(new Date(dataUpdatedAt));
  if (data && !nodes)
    return (
      <PageFrame title={t("node.title")}>
        <Panel>
          <EmptyState icon={<Server />} title={t("node.notOffered.title")} text={t("node.notOffered.text")} />
        </Panel>
      </PageFrame>
    );
  return (
    <PageFrame title={t("node.title")} description={t("node.description", { seconds: REFRESH_MS / 1000 })}>
      {nodes && error && (
        <p role="status" className="rounded-md bg-red-soft px-3.5 py-2.5 text-sm text-red">
          {t("node.outdated", { time: updatedAt, reason: failureText(error) })}
        </p>
      )}
      {nodes && nodes.length > 1 && <NodeTotals nodes={nodes} />}
      <DataTable
        label={t("node.title")}
        columns={columns}
        rows={nodes ? sortRows(nodes, search.sort, columns) : error ? [] : undefined}
        rowKey={keyOf}
        isFaint={(node) => node.state === "silent"}
        sort={search.sort}
        onSort={(sort) => change({ sort })}
        empty={error && <FailedState error={error} onRetry={() => void refetch()} />}
        actions={
          <Button onClick={() => void refetch()}>
            <RotateCw aria-hidden className="size-3.5" />
            {t("action.refresh")}
          </Button>
        }
        pagination={
          nodes && (
            <span className="text-xs text-ink-3 tabular-nums">{t("node.updated", { time: updatedAt })}</span>
          )
        }
      />
      {nodes && <Explanation nodes={nodes} />}
    </PageFrame>
  );
};

/** Explains the figures, and how to add nodes. */
const Explanation = ({ nodes }: { nodes: readonly Node[] }) => {
  const { t } = useTranslation();
  const isShared = nodes.some(({ id }) => id !== undefined);
  return (
    <div className="flex max-w-4xl flex-col gap-2 text-sm text-ink-2">
      {nodes.length === 1 && <p>{t(isShared ? "node.onlyOne" : "node.alone")}</p>}
      <p>{t(isShared ? "node.meaningShared" : "node.meaning")}</p>
    </div>
  );
};
