import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { User } from "@tollgate/contract/api/user";
import { Controller, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { AdvancedSection } from "../../components/advanced-section";
import { Field } from "../../components/field";
import { FormLoading, FormPage } from "../../components/form-page";
import { BudgetInputs, LimitInputs } from "../../components/limit-inputs";
import { MultiSelect } from "../../components/multi-select";
import { QuotaInput } from "../../components/quota-field";
import { TextField } from "../../components/text-field";
import { groupsQuery } from "../../lib/groups";
import { hasRates } from "../../lib/limit-fields";
import { notify } from "../../lib/notify";
import { useIdInAddress } from "../../lib/use-address";
import { useFieldError } from "../../lib/use-field-error";
import { BoundAccounts } from "./bound-accounts";
import { useUpdateUser } from "./update-user";
import { toUserFields, type UserFields, userFieldsSchema } from "./user-form";
import { userQuery } from "./user-queries";

/** /user/edit/{id}: a person's account, edited by an administrator. */
export const EditUserPage = () => {
  const { t } = useTranslation();
  const id = useIdInAddress();
  const { data, error, refetch } = useQuery(userQuery(id));
  if (!data) return <FormLoading title={t("user.editTitle")} error={error} onRetry={() => void refetch()} />;
  return <UserForm key={id} user={data} />;
};

const UserForm = ({ user }: { user: User }) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const save = useUpdateUser();
  const groups = useQuery(groupsQuery);
  const { control, register, handleSubmit, formState } = useForm<UserFields>({
    defaultValues: toUserFields(user),
    resolver: standardSchemaResolver(userFieldsSchema),
  });
  const errorOf = useFieldError(formState.errors);

  const submit = handleSubmit((fields) => {
    // Compared with what the form began with: the account may have been read again since.
    const before = formState.defaultValues as UserFields;
    save.mutate(
      { id: user.id, fields, before },
      {
        onSuccess: () => {
          notify.success(t("action.done"));
          void navigate({ to: "/user" });
        },
      },
    );
  });

  return (
    <FormPage
      title={t("user.editTitle")}
      description={<UserPages username={user.username} />}
      onSubmit={submit}
      onCancel={() => void navigate({ to: "/setting" })}
      isSaving={save.isPending}
      isChanged={formState.isDirty}
    >
      <TextField
        label={t("account.username")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={12}
        {...register("username")}
      />
      <TextField
        label={t("account.password")}
        type="password"
        autoComplete="new-password"
        placeholder={t("user.passwordPlaceholder")}
        {...register("password")}
      />
      <TextField
        label={t("user.displayName")}
        autoComplete="off"
        maxLength={20}
        placeholder={t("user.displayNamePlaceholder")}
        {...register("displayName")}
      />
      <Controller
        control={control}
        name="groups"
        render={({ field }) => (
          <Field label={t("user.groupField")} hint={t("user.groupHint")}>
            {(props) => (
              <MultiSelect
                label={t("user.groupField")}
                control={props}
                values={field.value}
                options={groups.data ?? []}
                onChange={field.onChange}
                placeholder={t("user.groupPlaceholder")}
                allowsOthers
              />
            )}
          </Field>
        )}
      />
      <QuotaInput
        control={control}
        name="quota"
        label={t("user.quotaLabel")}
        startsIn="points"
        error={errorOf("quota")}
      />
      <BudgetInputs control={control} errorOf={errorOf} />
      <AdvancedSection
        title={t("limit.title")}
        hint={t("limit.userHint")}
        isOpen={hasRates(toUserFields(user))}
      >
        <LimitInputs register={register} errorOf={errorOf} />
      </AdvancedSection>
      <BoundAccounts user={user} />
    </FormPage>
  );
};

/** What the user has used, what moved the balance, and the bill. */
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
