import type { User } from "@tollgate/contract/control/user";
import { useTranslation } from "react-i18next";
import { TextField } from "../../components/text-field";

/** The accounts elsewhere that belong to this one. They are bound on one's own settings page only. */
export const BoundAccounts = ({ user }: { user: User }) => {
  const { t } = useTranslation();
  const field = { readOnly: true, hint: t("user.bindHint"), className: "bg-sunken" };
  return (
    <>
      <TextField label={t("user.githubId")} value={user.githubId} {...field} />
      <TextField label={t("user.wechatId")} value={user.wechatId} {...field} />
      <TextField label={t("user.email")} value={user.email} {...field} />
    </>
  );
};
