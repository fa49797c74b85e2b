import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../lib/session";
import { lastDays } from "../lib/usage/last-days";
import type { UsageFilter } from "../lib/usage/usage-query";
import type { UsageGroup } from "../lib/usage/usage-sum";
import { GroupLink } from "./group-link";
import { ServedModels } from "./served-models";
import { UsageTable, usageTableGroups, usageTableQuery } from "./usage-table";

/** Number of days in the tables. */
const DAYS = 30;

const GROUPINGS = {
  model: { title: "detail.byModel", lineOf: ({ key }: UsageGroup): UsageFilter => ({ model: key }) },
  channel: { title: "detail.byChannel", lineOf: ({ key }: UsageGroup): UsageFilter => ({ channel: key }) },
  user: { title: "detail.byUser", lineOf: ({ name }: UsageGroup): UsageFilter => ({ username: name }) },
  token: { title: "detail.byKey", lineOf: ({ name }: UsageGroup): UsageFilter => ({ token: name }) },
} as const;

type RecordGrouping = keyof typeof GROUPINGS;

interface RecordUsageProps {
  /** Filter of the requests. */
  filter: UsageFilter;
  by: readonly [RecordGrouping, RecordGrouping?];
  /** Only the user's own requests, which every user may see. */
  isOwn?: boolean;
}

/** The requests of a record in the last days, in one table per grouping; nothing for those who may not see them. */
export const RecordUsage = (props: RecordUsageProps) => {
  const { user, may } = useSession();
  // A set of permissions may leave usage out.
  return props.isOwn || user === undefined || may("usage") ? <Tables {...props} /> : null;
};

const Tables = ({ filter, by: [first, second], isOwn = false }: RecordUsageProps) => {
  const { t } = useTranslation();
  const [range] = useState(() => lastDays(DAYS, Date.now()));
  const queryOf = (by: RecordGrouping) => usageTableQuery({ isAll: !isOwn, range, step: "day", by, filter });
  // The tables read the same queries, and share the decimals of their costs.
  const firstSums = useQuery(queryOf(first));
  const secondSums = useQuery({ ...queryOf(second ?? first), enabled: second !== undefined });
  const costs = [firstSums, secondSums].flatMap(({ data }) =>
    usageTableGroups(data?.points ?? [], range, "day").map(({ total }) => total.quota),
  );
  const by = second ? [first, second] : [first];
  const tables = by.map((grouping) => (
    <UsageTable
      key={grouping}
      title={t(isOwn && grouping === "token" ? "model.byOwnKey" : GROUPINGS[grouping].title, { days: DAYS })}
      isAll={!isOwn}
      range={range}
      step="day"
      by={grouping}
      filter={filter}
      beside={costs}
      nameOf={(group) => <GroupLink by={grouping} group={group} />}
      linesOf={(group) => ({ ...filter, ...GROUPINGS[grouping].lineOf(group) })}
    />
  ));
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {tables.length === 1 ? tables : <div className="grid items-start gap-4 lg:grid-cols-2">{tables}</div>}
      {!isOwn && (filter.channel ?? filter.model) !== undefined && (
        <ServedModels range={range} days={DAYS} filter={filter} />
      )}
    </div>
  );
};
