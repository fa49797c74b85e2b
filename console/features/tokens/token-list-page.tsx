import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { TOKEN_FILTERS, type Token } from "@tollgate/contract/api/tokens";
import { AUTO_GROUP } from "@tollgate/contract/values/auto-group";
import {
  TOKEN_DISABLED,
  TOKEN_ENABLED,
  TOKEN_EXHAUSTED,
  TOKEN_EXPIRED,
} from "@tollgate/contract/values/statuses";
import { NEVER } from "@tollgate/contract/values/time";
import { KeyRound, Plus } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge";
import { BodyNotice } from "../../components/body-notice";
import { buttonVariants } from "../../components/button";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { groupTone } from "../../components/group-badges";
import { ListPage } from "../../components/list-page";
import { RecordLink } from "../../components/record-link";
import { useActionsColumn } from "../../components/row-actions";
import { formatQuota, formatTime } from "../../lib/format";
import { useChosenColumns } from "../../lib/use-chosen-columns";
import { type List, useList } from "../../lib/use-list";
import { type FilterChoice, useListFilter } from "../../lib/use-list-filter";
import { useListSearch } from "../../lib/use-list-search";
import { isFormerInUse } from "./former-key";
import { TokenActions } from "./token-actions";
import { foundTokens, queriedTokens, tokenPages } from "./token-queries";
import { TokenState } from "./token-state";
import { useTokenWindows } from "./token-windows";
import { usableGroupsQuery } from "./usable-groups-query";

interface ColumnActions {
  onShowKey: (key: string) => void;
  onConnect: (token: Token) => void;
  onRotate: (token: Token) => void;
}

/** The columns of the token list. */
const useColumns = ({ onShowKey, onConnect, onRotate }: ColumnActions): Column<Token>[] => {
  const { t } = useTranslation();
  return [
    {
      id: "name",
      label: t("field.name"),
      cell: ({ id, name, group = "", formerUntil }) => (
        <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
          <RecordLink kind="token" id={id}>
            {name || <span className="text-ink-3">{t("value.none")}</span>}
          </RecordLink>
          {isFormerInUse({ formerUntil }) && (
            <Badge tone="yellow">
              {t("token.rotate.badge", { time: formatTime(formerUntil ?? 0).slice(5, 16) })}
            </Badge>
          )}
          {group !== "" && (
            <Badge tone={groupTone(group)}>{group === AUTO_GROUP ? t("keyGroup.auto") : group}</Badge>
          )}
        </span>
      ),
      sortBy: (token) => token.name,
      card: "head",
      className: "min-w-28 max-w-64 break-words font-medium",
    },
    {
      id: "status",
      label: t("field.status"),
      cell: (token) => <TokenState status={token.status} />,
      sortBy: (token) => token.status,
      card: "side",
    },
    {
      id: "used_quota",
      label: t("field.usedQuota"),
      cell: (token) => formatQuota(token.usedQuota),
      sortBy: (token) => token.usedQuota,
      isNumber: true,
    },
    {
      id: "remain_quota",
      label: t("field.remainQuota"),
      cell: (token) => (token.unlimitedQuota ? t("value.unlimited") : formatQuota(token.remainQuota)),
      sortBy: (token) => (token.unlimitedQuota ? Number.POSITIVE_INFINITY : token.remainQuota),
      isNumber: true,
    },
    {
      id: "created_time",
      label: t("field.createdTime"),
      cell: (token) => formatTime(token.createdTime),
      sortBy: (token) => token.createdTime,
      className: "wide:whitespace-nowrap",
    },
    {
      id: "expired_time",
      label: t("field.expiredTime"),
      cell: (token) => (token.expiredTime === NEVER ? t("value.never") : formatTime(token.expiredTime)),
      sortBy: (token) => (token.expiredTime === NEVER ? Number.POSITIVE_INFINITY : token.expiredTime),
      className: "wide:whitespace-nowrap",
    },
    useActionsColumn((token) => (
      <TokenActions
        token={token}
        onShowKey={onShowKey}
        onConnect={() => onConnect(token)}
        onRotate={() => onRotate(token)}
      />
    )),
  ];
};

/** Calls back with the key that the form has just made, once the list has it: its owner wants to use it. */
const useAddedToken = ({ rows, isRefreshing }: List<Token>, onAdded: (token: Token) => void): void => {
  const { state } = useLocation();
  const navigate = useNavigate();
  const { newRow } = state;
  // The rows of before may have another one of that name.
  const added = newRow === undefined || isRefreshing ? undefined : rows?.find(({ name }) => name === newRow);
  // The outside system is the history, which would tell it once more after a reload.
  useEffect(() => {
    if (!added) return;
    onAdded(added);
    void navigate({ to: "/token", replace: true, state: {} });
  }, [added, onAdded, navigate]);
};

/** The groups that keys may have been given; none where the server cannot narrow a list by them. */
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

/** /token: the person's own API keys. */
export const TokenListPage = () => {
  const { t } = useTranslation();
  const [search, change] = useListSearch();
  const [shownKey, setShownKey] = useState<string>();
  const { windows, onConnect, onRotate } = useTokenWindows();
  const columns = useColumns({ onShowKey: setShownKey, onConnect, onRotate });
  const { shown, choices } = useChosenColumns("token", columns);
  const narrowed = useListFilter(TOKEN_FILTERS, (token: Token, column) => token[column]);
  const list = useList({
    pages: tokenPages,
    queried: queriedTokens,
    narrowed,
    found: foundTokens(search.q ?? ""),
    search,
    columns,
  });
  const groupFilter = useGroupFilter(narrowed.isOffered);
  useAddedToken(list, onConnect);
  return (
    <>
      {windows}
      <ListPage
        title={t("token.title")}
        label={t("token.title")}
        description={t("token.description")}
        searchPlaceholder={t("token.search")}
        shownText={shownKey}
        above={<BodyNotice text={t("token.bodiesKept")} />}
        filters={[
          {
            column: "status",
            label: t("field.status"),
            choices: [
              [TOKEN_ENABLED, t("status.enabled")],
              [TOKEN_DISABLED, t("status.disabled")],
              [TOKEN_EXPIRED, t("status.expired")],
              [TOKEN_EXHAUSTED, t("status.exhausted")],
            ],
          },
          ...groupFilter,
        ]}
        narrowed={narrowed}
        list={list}
        columns={shown}
        columnChoices={choices}
        rowKey={(token) => token.id}
        isFaint={(token) => token.status === TOKEN_DISABLED}
        search={search}
        onSearch={(next) => {
          setShownKey(undefined);
          change(next);
        }}
        primary={
          <Link to="/token/add" className={buttonVariants({ variant: "primary" })}>
            <Plus aria-hidden className="size-4" />
            {t("token.add")}
          </Link>
        }
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
