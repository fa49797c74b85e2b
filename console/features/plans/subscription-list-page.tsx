import type { ShownSubscription } from "@tollgate/contract/api/plans";
import { CalendarClock, Gift } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { LazyBoundary } from "../../components/lazy-boundary";
import { ListPage } from "../../components/list-page";
import { textColumn, timeColumn } from "../../components/plain-columns";
import { RecordLink } from "../../components/record-link";
import { useActionsColumn } from "../../components/row-actions";
import { exactQuota } from "../../lib/exact-quota";
import { useList } from "../../lib/use-list";
import { useListSearch } from "../../lib/use-list-search";
import { queriedSubscriptions, subscriptionPages } from "./plan-queries";
import { SubscriptionActions } from "./subscription-actions";
import { SubscriptionState } from "./subscription-state";

const loadWindow = async () => ({ default: (await import("./give-plan-window")).GivePlanWindow });

/** The columns of the subscribers. */
const useColumns = (): Column<ShownSubscription>[] => {
  const { t } = useTranslation();
  return [
    {
      id: "id",
      label: t("field.id"),
      cell: ({ id }) => <span className="text-ink-3">{id}</span>,
      sortBy: ({ id }) => id,
      card: "head",
    },
    {
      id: "username",
      label: t("field.user"),
      cell: ({ userId, username }) => (
        <RecordLink kind="user" id={userId}>
          {username || `#${userId}`}
        </RecordLink>
      ),
      sortBy: ({ username }) => username,
      card: "head",
    },
    textColumn("title", t("plan.plan"), ({ title }) => title, {
      card: "head",
      className: "min-w-28 max-w-64 break-words font-medium",
    }),
    {
      id: "state",
      label: t("field.status"),
      cell: ({ state }) => <SubscriptionState state={state} />,
      sortBy: ({ state }) => state,
      card: "side",
    },
    {
      id: "source",
      label: t("plan.source"),
      cell: ({ source, renews }) => (
        <span>
          {t(`plan.sources.${source}`)}
          {renews && <span className="text-ink-3"> · {t("plan.renewsShort")}</span>}
        </span>
      ),
      sortBy: ({ source }) => source,
    },
    {
      id: "left",
      label: t("plan.left"),
      cell: ({ left, granted, state }) =>
        state === "active" ? (
          <span>
            {exactQuota(left)}{" "}
            <span className="text-ink-3">{t("plan.leftOf", { amount: exactQuota(granted) })}</span>
          </span>
        ) : (
          <span className="text-ink-3">{t("value.none")}</span>
        ),
      sortBy: ({ left }) => left,
      isNumber: true,
    },
    timeColumn("starts_at", t("plan.begin"), ({ startsAt }) => startsAt),
    timeColumn("ends_at", t("plan.ending"), ({ endsAt }) => endsAt),
    useActionsColumn((subscription) => <SubscriptionActions subscription={subscription} />),
  ];
};

/** /plan/subscribers: the users' plans. */
export const SubscriptionListPage = () => {
  const { t } = useTranslation();
  const [search, change] = useListSearch();
  const [isGiving, setGiving] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const columns = useColumns();
  const userId = /^\d{1,15}$/.test(search.q ?? "") ? (search.q ?? "") : "";
  const list = useList({
    pages: subscriptionPages(userId),
    queried: queriedSubscriptions(userId),
    search,
    columns,
  });
  return (
    <>
      <ListPage
        title={t("plan.subscribersTitle")}
        label={t("plan.subscribersTitle")}
        description={t("plan.subscribersDescription")}
        searchPlaceholder={t("plan.searchUser")}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        isFaint={({ state }) => state === "ended"}
        search={search}
        onSearch={change}
        primary={
          <Button
            variant="primary"
            aria-haspopup="dialog"
            onClick={() => {
              setOpened(true);
              setGiving(true);
            }}
          >
            <Gift aria-hidden className="size-4" />
            {t("plan.give")}
          </Button>
        }
        empty={
          <EmptyState icon={<CalendarClock />} title={t("plan.nobodyTitle")} text={t("plan.nobodyText")} />
        }
      />
      {wasOpened && (
        <LazyBoundary
          load={loadWindow}
          with={{ isOpen: isGiving, onClose: () => setGiving(false) }}
          onMissing={() => setOpened(false)}
        />
      )}
    </>
  );
};
