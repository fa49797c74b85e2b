import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { SelectField } from "../../components/select-field";
import { TextField } from "../../components/text-field";
import { usableGroupsQuery } from "../../lib/usable-groups-query";
import type { FieldsForm } from "../../lib/use-fields";
import type { ApiKeyFields } from "./api-key-form";

/** The model and the group that answer once a budget is used up. */
export const BudgetChoice = ({ form }: { form: Pick<FieldsForm<ApiKeyFields>, "text" | "value"> }) => {
  const { t } = useTranslation();
  const id = useId();
  const { data } = useQuery(usableGroupsQuery);
  const names = data?.groups.map(({ name }) => name) ?? [];
  const group = form.value("budgetGroup");
  const isGone = group.value !== "" && !names.includes(group.value);
  return (
    <fieldset aria-describedby={id} className="flex min-w-0 flex-col gap-3 rounded-md border border-line p-3">
      <legend className="px-1 font-medium text-sm">{t("token.atBudget.title")}</legend>
      <p id={id} className="text-sm text-ink-2">
        {t("token.atBudget.hint")}
      </p>
      <div className="grid gap-x-4 gap-y-5 wide:grid-cols-2">
        <TextField
          {...t("token.setting.budgetModel", { returnObjects: true })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.text("budgetModel")}
        />
        <SelectField
          label={t("token.setting.budgetGroup.label")}
          error={group.error}
          value={group.value}
          onChange={group.onChange}
          options={[
            { value: "", label: t("token.setting.budgetGroup.placeholder") },
            ...names.map((name) => ({ value: name, label: name })),
            ...(isGone ? [{ value: group.value, label: `${group.value} · ${t("keyGroup.gone")}` }] : []),
          ]}
        />
      </div>
    </fieldset>
  );
};
