import { NODE_STATES, type Node } from "@tollgate/contract/api/nodes";
import { useTranslation } from "react-i18next";
import { formatCount, formatQuota } from "../../lib/format";
import { formatMemory, formatRate, leaseCount, requestRate, shown, sumOf } from "./node-figures";

interface TotalProps {
  label: string;
  value: string;
  note?: string;
}

const Total = ({ label, value, note }: TotalProps) => (
  <div className="min-w-28 flex-1">
    <dt className="text-xs text-ink-2">{label}</dt>
    <dd className="font-semibold text-xl leading-7">{value}</dd>
    {note && <dd className="text-xs text-ink-3">{note}</dd>}
  </div>
);

/**
 * Sums over all nodes. Of a silent one only the leases count: its other figures are outdated, while its leases stay
 * until another node ends them.
 */
export const NodeTotals = ({ nodes }: { nodes: readonly Node[] }) => {
  const { t } = useTranslation();
  const heard = nodes.filter(({ state }) => state !== "silent");
  const states = NODE_STATES.flatMap((state) => {
    const count = nodes.filter((node) => node.state === state).length;
    return count === 0 ? [] : [t(`node.count.${state}`, { count })];
  });
  return (
    <dl
      aria-label={t("node.totals")}
      className="flex flex-wrap gap-x-6 gap-y-3 rounded-lg border border-line bg-surface px-4 py-3 tabular-nums"
    >
      <Total label={t("node.title")} value={String(nodes.length)} note={states.join(" · ")} />
      <Total
        label={t("node.requests")}
        value={shown(sumOf(heard, requestRate), formatRate)}
        note={t("node.active", { count: sumOf(heard, (node) => node.active_requests) ?? 0 })}
      />
      <Total
        label={t("node.leased")}
        value={shown(
          sumOf(nodes, (node) => node.leased_quota),
          formatQuota,
        )}
        note={t("node.leases", { count: sumOf(nodes, leaseCount) ?? 0 })}
      />
      <Total
        label={t("node.databaseConnections")}
        value={shown(
          sumOf(heard, (node) => node.database_connections),
          formatCount,
        )}
        note={t("node.waiting", { count: sumOf(heard, (node) => node.database_waiting) ?? 0 })}
      />
      <Total
        label={t("node.memory")}
        value={shown(
          sumOf(heard, (node) => node.memory_bytes),
          formatMemory,
        )}
      />
    </dl>
  );
};
