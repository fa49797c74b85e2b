import { Link } from "@tanstack/react-router";
import { resetSecondFactor } from "@tollgate/contract/api/second-factor";
import { endUserSessions } from "@tollgate/contract/api/sessions";
import type { User } from "@tollgate/contract/api/user";
import { listUsers, manageUser, type UserAction } from "@tollgate/contract/api/users";
import { isRoot } from "@tollgate/contract/values/roles";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { type RowAction, RowActions } from "../../components/row-actions";
import { useRowEndpoint } from "../../lib/endpoint-lists";
import { notify } from "../../lib/notify";
import { useSession } from "../../lib/session";
import { hasListExtra } from "../../lib/status";
import { switchRecord } from "../../lib/switch-record";
import { useEndpoint } from "../../lib/use-endpoint";

/** Actions on one user. Root cannot be changed here, and is signed out by root alone. */
export const useUserActions = (user: User): readonly RowAction[] => {
  const { t } = useTranslation();
  const { id, username: name } = user;
  // A server that omits one of them sends 0, which is neither a role nor a status.
  const manage = useRowEndpoint(listUsers, id, manageUser, (answered, { body }) =>
    body.action === "delete"
      ? "deleted"
      : {
          ...(answered?.role ? { role: answered.role } : {}),
          ...(answered?.status ? { status: answered.status } : {}),
        },
  );
  const signOut = useEndpoint(endUserSessions);
  const reset = useEndpoint(resetSecondFactor);
  const session = useSession();
  const order = (action: UserAction) => manage.mutateAsync({ body: { username: name, action } });
  const told = (action: UserAction) => () => order(action).then(() => notify.success(t("action.done")));
  const isEnabled = user.status === USER_ENABLED;
  const shared = {
    isBusy: manage.isPending,
    refusal: isRoot(user.role) ? t("user.rootUnchangeable") : undefined,
  };
  const signOutAction: RowAction = {
    label: t("user.signOut"),
    isBusy: signOut.isPending,
    refusal: isRoot(user.role) && !session.isRoot ? t("user.rootUnchangeable") : undefined,
    question: {
      question: t("user.signOutQuestion", { name }),
      consequence: t("user.signOutConsequence"),
      confirm: t("user.signOutConfirm", { name }),
      isHarmless: true,
    },
    onSelect: () => signOut.mutateAsync({ params: { id } }).then(() => notify.success(t("action.done"))),
  };
  const resetAction: RowAction = {
    label: t("user.resetSecondFactor"),
    isBusy: reset.isPending,
    // Root's own goes with a code, in the personal settings.
    refusal: isRoot(user.role) ? t("user.rootUnchangeable") : undefined,
    question: {
      question: t("user.resetSecondFactorQuestion", { name }),
      consequence: t("user.resetSecondFactorConsequence"),
      confirm: t("user.resetSecondFactorConfirm", { name }),
    },
    onSelect: () => reset.mutateAsync({ params: { id } }).then(() => notify.success(t("action.done"))),
  };
  return [
    {
      ...shared,
      label: isEnabled ? t("action.disable") : t("action.enable"),
      onSelect: () => switchRecord(!isEnabled, (isOn) => order(isOn ? "enable" : "disable")),
    },
    { label: t("action.edit"), link: <Link to="/user/edit/$id" params={{ id: String(id) }} /> },
    {
      ...shared,
      label: t("user.promote"),
      question: {
        question: t("user.promoteQuestion", { name }),
        consequence: t("user.promoteConsequence"),
        confirm: t("user.promoteConfirm", { name }),
        isHarmless: true,
      },
      onSelect: told("promote"),
    },
    {
      ...shared,
      label: t("user.demote"),
      question: {
        question: t("user.demoteQuestion", { name }),
        consequence: t("user.demoteConsequence"),
        confirm: t("user.demoteConfirm", { name }),
        isHarmless: true,
      },
      onSelect: told("demote"),
    },
    ...(hasListExtra("sessions") ? [signOutAction] : []),
    ...(session.isRoot && hasListExtra("second-factor") ? [resetAction] : []),
    {
      ...shared,
      label: t("action.delete"),
      isDanger: true,
      question: {
        question: t("user.deleteQuestion", { name }),
        consequence: t("user.deleteConsequence"),
        confirm: t("user.deleteConfirm", { name }),
      },
      onSelect: told("delete"),
    },
  ];
};

export const UserActions = ({ user }: { user: User }) => (
  <RowActions of={user.username} actions={useUserActions(user)} />
);
