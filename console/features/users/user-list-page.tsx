import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { User } from "@tollgate/contract/api/user";
import { exportUsers, USER_FILTERS } from "@tollgate/contract/api/users";
import { ROLE_ADMIN, ROLE_ROOT, ROLE_USER } from "@tollgate/contract/values/roles";
import { splitList } from "@tollgate/contract/values/split-list";
import { USER_DISABLED, USER_ENABLED } from "@tollgate/contract/values/statuses";
import { Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AddLink } from "../../components/add-link";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ExportButton } from "../../components/export-button";
import { GroupBadges } from "../../components/group-badges";
import { LazyBoundary } from "../../components/lazy-boundary";
import { ListPage } from "../../components/list-page";
import { numberColumn } from "../../components/plain-columns";
import { useActionsColumn } from "../../components/row-actions";
import { useBoxes } from "../../components/selection-boxes";
import { formatCount, formatQuota } from "../../lib/format";
import { groupsQuery } from "../../lib/groups";
import { loadTexts } from "../../lib/i18n";
import { hasListExtra } from "../../lib/status";
import { useChosenColumns } from "../../lib/use-chosen-columns";
import type { FilterChoice } from "../../lib/use-list-filter";
import { useNarrowedList } from "../../lib/use-narrowed-list";
import { useSelection } from "../../lib/use-selection";
import { UserActions } from "./user-actions";
import { UserRole, UserState } from "./user-marks";
import { foundUsers, queriedUsers, userPages } from "./user-queries";

// Loaded with the first selection.
const loadActionBar = async () => {
  const [bar] = await Promise.all([import("./users-action-bar"), loadTexts(["batch", "limits"])]);
  return bar;
};

/** The columns of the user list. */
const useColumns = (): Column<User>[] => {
  const { t } = useTranslation();
  return [
    {
      id: "id",
      label: t("field.id"),
      cell: (user) => <span className="text-ink-3">{user.id}</span>,
      sortBy: (user) => user.id,
      card: "head",
    },
    {
      id: "username",
      label: t("account.username"),
      cell: (user) => <UserName user={user} />,
      sortBy: (user) => user.username,
      card: "head",
      className: "min-w-32 wide:max-w-72 font-medium",
    },
    {
      id: "role",
      label: t("user.roleField"),
      cell: (user) => <UserRole role={user.role} />,
      sortBy: (user) => user.role,
      card: "head",
    },
    {
      id: "status",
      label: t("field.status"),
      cell: (user) => <UserState status={user.status} />,
      sortBy: (user) => user.status,
      card: "side",
    },
    {
      id: "group",
      label: t("user.groupField"),
      cell: (user) => <GroupBadges groups={splitList(user.group)} />,
      sortBy: (user) => user.group,
    },
    numberColumn("quota", t("field.remainQuota"), (user) => user.quota, formatQuota),
    numberColumn("used_quota", t("field.usedQuota"), (user) => user.usedQuota, formatQuota),
    numberColumn("request_count", t("user.requestCount"), (user) => user.requestCount, formatCount),
    useActionsColumn((user) => <UserActions user={user} />),
  ];
};

/** The name, with further details that distinguish users beside it. */
const UserName = ({ user }: { user: User }) => {
  const more = [user.displayName === user.username ? "" : user.displayName, user.email].filter(
    (text) => text !== "",
  );
  return (
    <span className="flex min-w-0 items-baseline gap-x-2 max-wide:flex-wrap">
      <Link
        to="/user/$id"
        params={{ id: String(user.id) }}
        className="min-w-0 shrink-0 max-wide:break-words wide:max-w-40 wide:truncate underline-offset-2 hover:text-accent hover:underline"
      >
        {user.username}
      </Link>
      {more.length > 0 && (
        <span
          title={more.join(" · ")}
          className="min-w-0 font-normal text-xs text-ink-2 max-wide:break-words wide:truncate"
        >
          {more.join(" · ")}
        </span>
      )}
    </span>
  );
};

/** The filters of the user list. @param isRead the list has loaded; groups follow. */
const useFilters = (isRead: boolean): FilterChoice[] => {
  const { t } = useTranslation();
  const { data: groups = [] } = useQuery({ ...groupsQuery, enabled: isRead, meta: { silent: true } });
  return [
    {
      column: "status",
      label: t("field.status"),
      choices: [
        [USER_ENABLED, t("user.active")],
        [USER_DISABLED, t("user.banned")],
      ],
    },
    {
      column: "role",
      label: t("user.roleField"),
      choices: [
        [ROLE_USER, t("user.role.user")],
        [ROLE_ADMIN, t("user.role.admin")],
        [ROLE_ROOT, t("user.role.root")],
      ],
    },
    { column: "group", label: t("user.groupField"), choices: groups.map((group) => [group, group]) },
  ];
};

/** /user: all users. */
export const UserListPage = () => {
  const { t } = useTranslation();
  const columns = useColumns();
  const { shown, choices } = useChosenColumns("user", columns);
  const page = useNarrowedList({
    pages: userPages,
    queried: queriedUsers,
    found: foundUsers,
    columns,
    kinds: USER_FILTERS,
  });
  const filters = useFilters(page.list.rows !== undefined);
  const selection = useSelection();
  const withBoxes = useBoxes(selection, page.list.rows, ({ username }) => username);
  const canChoose = hasListExtra("batches");
  const query = { keyword: page.search.q, ...page.narrowed.filter };
  return (
    <ListPage
      {...page}
      title={t("user.title")}
      label={t("user.title")}
      description={t("user.description")}
      searchPlaceholder={t("user.search")}
      filters={filters}
      above={selection.chosen.size > 0 && <LazyBoundary load={loadActionBar} with={{ selection, query }} />}
      columns={canChoose ? shown.map((column, index) => (index === 0 ? withBoxes(column) : column)) : shown}
      columnChoices={choices}
      rowKey={(user) => user.id}
      isFaint={(user) => user.status !== USER_ENABLED}
      primary={<AddLink to="/user/add">{t("user.add")}</AddLink>}
      actions={<ExportButton file={exportUsers} query={() => query} />}
      empty={<EmptyState icon={<Users />} title={t("user.emptyTitle")} text={t("user.emptyText")} />}
    />
  );
};
