import { useQuery } from "@tanstack/react-query";
import { listPermissionSets, type PermissionSet } from "@tollgate/contract/api/permission-sets";
import { useTranslation } from "react-i18next";
import { AddLink } from "../../components/add-link";
import { AdminsOnly } from "../../components/admins-only";
import { PageFrame, Panel } from "../../components/page-frame";
import { PanelLoading } from "../../components/panel-loading";
import { type SmallColumn, SmallTable } from "../../components/small-table";
import { endpointQuery } from "../../lib/endpoint-query";
import { useSession } from "../../lib/session";
import { setName } from "../../lib/set-name";
import { PermissionSetActions } from "./permission-set-actions";

/** /permission: the sets of permissions that root gives to administrators. */
export const PermissionSetsPage = () => {
  const { t } = useTranslation();
  const { isRoot } = useSession();
  return (
    <PageFrame
      title={t("permission.title")}
      description={t("permission.description")}
      aside={isRoot && <AddLink to="/permission/add">{t("permission.add")}</AddLink>}
    >
      {isRoot ? (
        <Sets />
      ) : (
        <Panel>
          <AdminsOnly title={t("permission.forRoot")} />
        </Panel>
      )}
    </PageFrame>
  );
};

const Sets = () => {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(endpointQuery(listPermissionSets, {}));
  if (!data)
    return (
      <Panel>
        <PanelLoading error={error} onRetry={() => void refetch()} />
      </Panel>
    );
  const rights = ({ permissions }: PermissionSet): string =>
    permissions
      .map((permission) => {
        const [area = "", kind = ""] = permission.split(":");
        return t("permission.right", {
          area: t(`permission.areas.${area}` as "permission.areas.users"),
          right: t(`permission.rights.${kind}` as "permission.rights.read"),
        });
      })
      .join(t("permission.separator"));
  const columns: readonly SmallColumn<PermissionSet>[] = [
    {
      id: "name",
      label: t("permission.name"),
      cell: (set) => <span className="font-medium">{setName(t, set)}</span>,
      className: "min-w-28",
    },
    {
      id: "administrators",
      label: t("permission.administrators"),
      cell: ({ administrators }) => administrators,
      isNumber: true,
    },
    {
      id: "rights",
      label: t("permission.rightsLabel"),
      cell: (set) => <span className="text-ink-2">{rights(set) || t("permission.noRights")}</span>,
      isForWide: true,
    },
    {
      id: "actions",
      label: t("field.actions"),
      isLabelHidden: true,
      cell: (set) => <PermissionSetActions set={set} />,
    },
  ];
  return (
    <section className="rounded-lg border border-line bg-surface">
      <SmallTable label={t("permission.title")} columns={columns} rows={data} rowKey={({ id }) => id} />
    </section>
  );
};
