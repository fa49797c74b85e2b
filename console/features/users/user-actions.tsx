import { Link } from "@tanstack/react-router";
import type { User } from "@tollgate/contract/api/user";
import { listUsers, manageUser, type UserAction } from "@tollgate/contract/api/users";
import { isRoot } from "@tollgate/contract/values/roles";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { RowActions } from "../../components/row-actions";
import { useRowEndpoint } from "../../lib/endpoint-lists";
import { notify } from "../../lib/notify";

/** What can be done with one user. Root cannot be changed from here. */
export const UserActions = ({ user }: { user: User }) => {
  const { t } = useTranslation();
  // A server that leaves one of them out sends 0, which is neither a role nor a status.
  const manage = useRowEndpoint(listUsers, user.id, manageUser, (answered, { body }) =>
    body.action === "delete"
      ? "deleted"
      : {
          ...(answered?.role ? { role: answered.role } : {}),
          ...(answered?.status ? { status: answered.status } : {}),
        },
  );
  const isFixed = isRoot(user.role);
  const order = (action: UserAction) =>
    manage
      .mutateAsync({ body: { username: user.username, action } })
      .then(() => notify.success(t("action.done")));
  const button = {
    size: "small",
    disabled: isFixed || manage.isPending,
    title: isFixed ? t("user.rootUnchangeable") : undefined,
  } as const;
  const act = (action: UserAction) => () => {
    // The query client has told a failure.
    order(action).catch(() => undefined);
  };
  return (
    <RowActions>
      <Button variant="quiet" {...button} onClick={act("promote")}>
        {t("user.promote")}
      </Button>
      <Button variant="quiet" {...button} onClick={act("demote")}>
        {t("user.demote")}
      </Button>
      <ConfirmButton
        variant="quietDanger"
        {...button}
        question={t("user.deleteQuestion", { name: user.username })}
        consequence={t("user.deleteConsequence")}
        confirm={t("user.deleteConfirm", { name: user.username })}
        onConfirm={() => order("delete")}
      >
        {t("action.delete")}
      </ConfirmButton>
      {user.status === USER_ENABLED ? (
        <Button variant="quiet" {...button} onClick={act("disable")}>
          {t("action.disable")}
        </Button>
      ) : (
        <Button variant="quiet" {...button} onClick={act("enable")}>
          {t("action.enable")}
        </Button>
      )}
      <Link
        to="/user/edit/$id"
        params={{ id: String(user.id) }}
        className={buttonVariants({ variant: "quiet", size: "small" })}
      >
        {t("action.edit")}
      </Link>
    </RowActions>
  );
};
