import { Link } from "@tanstack/react-router";
import { API_KEY_FILTERS, type KeySummary } from "@tollgate/contract/api/api-keys";
import { listApiKeysOfUser } from "@tollgate/contract/api/user-api-keys";
import { TOKEN_DISABLED } from "@tollgate/contract/values/statuses";
import { KeyRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/empty-state";
import { ListPage } from "../../components/list-page";
import { RowActions, useActionsColumn } from "../../components/row-actions";
import { endpointPages, endpointQueried } from "../../lib/endpoint-lists";
import { formatTime } from "../../lib/format";
import { useNarrowedList } from "../../lib/use-narrowed-list";
import { useApiKeyColumns, useStateFilter } from "./use-api-key-columns";

const keysOf = (id: number) => ({ params: { id } });
const extra = { isExtra: true };

/** The keys of a user as a part of their page. Administrators can read them; only owners can change them. */
export const UserApiKeys = ({ userId }: { userId: number }) => {
  const { t } = useTranslation();
  const columns = [
    ...useApiKeyColumns(),
    {
      id: "accessed_time",
      label: t("detail.lastUsed"),
      cell: (key: KeySummary) => (key.usedQuota > 0 ? formatTime(key.accessedTime) : t("value.none")),
      className: "wide:whitespace-nowrap",
    },
    // The log identifies keys by name.
    useActionsColumn(({ name }: KeySummary) =>
      name === "" ? null : (
        <RowActions
          of={name}
          actions={[
            { label: t("nav.log"), link: <Link to="." search={{ tab: "log", token: name } as never} /> },
          ]}
        />
      ),
    ),
  ];
  const page = useNarrowedList({
    pages: endpointPages(listApiKeysOfUser, keysOf(userId), extra),
    queried: endpointQueried(listApiKeysOfUser, keysOf(userId), extra),
    columns,
    kinds: API_KEY_FILTERS,
  });
  return (
    <ListPage
      {...page}
      title={t("nav.token")}
      label={t("nav.token")}
      filters={[useStateFilter()]}
      columns={columns}
      rowKey={(key) => key.id}
      isFaint={(key) => key.status === TOKEN_DISABLED}
      empty={<EmptyState icon={<KeyRound />} title={t("detail.noKeys")} text={t("detail.noKeysText")} />}
    />
  );
};
