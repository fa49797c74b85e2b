import { Link } from "@tanstack/react-router";
import { deletePermissionSet, type PermissionSet } from "@tollgate/contract/api/permission-sets";
import { isBuiltInSet } from "@tollgate/contract/management/permission-set";
import { useTranslation } from "react-i18next";
import { type RowAction, RowActions } from "../../components/row-actions";
import { notify } from "../../lib/notify";
import { setName } from "../../lib/set-name";
import { useEndpoint } from "../../lib/use-endpoint";

/** Actions on a set of permissions. Sets of each installation can only be shown. */
export const PermissionSetActions = ({ set }: { set: PermissionSet }) => {
  const { t } = useTranslation();
  const remove = useEndpoint(deletePermissionSet);
  const { id, administrators } = set;
  const name = setName(t, set);
  const deletion: RowAction = {
    label: t("action.delete"),
    isDanger: true,
    isBusy: remove.isPending,
    refusal: administrators > 0 ? t("permission.inUse") : undefined,
    question: {
      question: t("permission.deleteQuestion", { name }),
      consequence: t("permission.deleteConsequence"),
      confirm: t("action.delete"),
    },
    onSelect: () => remove.mutateAsync({ params: { set: id } }).then(() => notify.success(t("action.done"))),
  };
  const isFixed = isBuiltInSet(id);
  return (
    <RowActions
      of={name}
      actions={[
        {
          label: isFixed ? t("permission.show") : t("action.edit"),
          link: <Link to="/permission/edit/$set" params={{ set: id }} />,
        },
        ...(isFixed ? [] : [deletion]),
      ]}
    />
  );
};
