import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { User } from "@tollgate/contract/api/user";
import { changeUser, getUser } from "@tollgate/contract/api/users";
import { ROLE_ADMIN } from "@tollgate/contract/values/roles";
import { useTranslation } from "react-i18next";
import { AdvancedSection } from "../../components/advanced-section";
import { ChoicesField } from "../../components/choices-field";
import { EditPage, FormPage } from "../../components/form-page";
import { BudgetInputs, LimitInputs } from "../../components/limit-inputs";
import { QuotaInput } from "../../components/quota-field";
import { TextField } from "../../components/text-field";
import { groupsQuery } from "../../lib/groups";
import { FOLDED_LIMITS, hasFoldedLimits } from "../../lib/limit-fields";
import { notify } from "../../lib/notify";
import { useSession } from "../../lib/session";
import { hasListExtra } from "../../lib/status";
import { useUpdate } from "../../lib/use-endpoint";
import { useFields } from "../../lib/use-fields";
import { BoundAccounts } from "./bound-accounts";
import { PermissionSetField } from "./permission-set-field";
import { UserAliases } from "./user-aliases";
import { toUserBody, toUserFields, userFieldsSchema } from "./user-form";
import { userQuery } from "./user-queries";

/** /user/edit/{id}: a user's account, edited by an administrator. */
export const EditUserPage = () => {
  const { t } = useTranslation();
  return (
    <EditPage title={t("user.editTitle")} query={userQuery}>
      {(user) => <UserForm user={user} />}
    </EditPage>
  );
};

const UserForm = ({ user }: { user: User }) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { isRoot } = useSession();
  const { data: groups = [] } = useQuery(groupsQuery);
  const initial = toUserFields(user);
  const form = useFields({ initial, schema: userFieldsSchema, wireNames: { group: "groups" } });
  const save = useUpdate(getUser, changeUser, form);

  const submit = form.handleSubmit((fields) =>
    save.mutate(
      { id: user.id, toBody: (now) => toUserBody(now, fields, form.before) },
      {
        onSuccess: () => {
          notify.success(t("action.done"));
          void navigate({ to: "/user" });
        },
      },
    ),
  );

  return (
    <FormPage
      title={t("user.editTitle")}
      description={<UserPages username={user.username} />}
      onSubmit={submit}
      onCancel={() => void navigate({ to: "/setting" })}
      isSaving={save.isPending}
      isChanged={form.isChanged}
    >
      <TextField
        label={t("account.username")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={12}
        {...form.text("username")}
      />
      <TextField
        label={t("account.password")}
        type="password"
        autoComplete="new-password"
        placeholder={t("user.passwordPlaceholder")}
        {...form.text("password")}
      />
      <TextField
        label={t("user.displayName")}
        autoComplete="off"
        maxLength={20}
        placeholder={t("user.displayNamePlaceholder")}
        {...form.text("displayName")}
      />
      <ChoicesField
        label={t("user.groupField")}
        hint={t("user.groupHint")}
        options={groups}
        placeholder={t("user.groupPlaceholder")}
        allowsOthers
        {...form.value("groups")}
      />
      {isRoot && user.role === ROLE_ADMIN && hasListExtra("permission-sets") && (
        <PermissionSetField {...form.value("permissionSet")} />
      )}
      <QuotaInput label={t("user.quotaLabel")} startsIn="points" {...form.quota("quota")} />
      <BudgetInputs form={form} />
      <AdvancedSection
        title={t("limit.title")}
        hint={t("limit.userHint")}
        isOpen={hasFoldedLimits(initial)}
        hasMistake={FOLDED_LIMITS.some((name) => form.errors[name])}
      >
        <LimitInputs form={form} />
      </AdvancedSection>
      <UserAliases
        text={t("user.aliasesTextOfUser")}
        isOpen={initial.modelAliases !== ""}
        {...form.value("modelAliases")}
      />
      <BoundAccounts user={user} />
    </FormPage>
  );
};

/** Links to the user's usage, balance movements and statement. */
const UserPages = ({ username }: { username: string }) => {
  const { t } = useTranslation();
  return (
    <span className="flex flex-wrap gap-x-4">
      {USER_PAGES.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          search={{ username }}
          className="text-accent underline-offset-2 hover:underline"
        >
          {t(label)}
        </Link>
      ))}
    </span>
  );
};

const USER_PAGES = [
  { to: "/log", label: "nav.log" },
  { to: "/ledger", label: "nav.ledger" },
  { to: "/statement", label: "nav.statement" },
] as const;
