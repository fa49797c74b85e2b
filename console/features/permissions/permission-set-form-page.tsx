import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import {
  changePermissionSet,
  createPermissionSet,
  listPermissionSets,
  type PermissionSet,
} from "@tollgate/contract/api/permission-sets";
import { isPermission, type Permission } from "@tollgate/contract/management/permission-areas";
import { isBuiltInSet, MAX_SET_NAME } from "@tollgate/contract/management/permission-set";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { Field } from "../../components/field";
import { FormPage, Loaded } from "../../components/form-page";
import { PageFrame, Panel } from "../../components/page-frame";
import { PermissionTable } from "../../components/permission-table";
import { TextField } from "../../components/text-field";
import { endpointQuery } from "../../lib/endpoint-query";
import { notify } from "../../lib/notify";
import { setName } from "../../lib/set-name";
import { useEndpoint } from "../../lib/use-endpoint";
import { useFields } from "../../lib/use-fields";

interface SetFields {
  name: string;
  permissions: Permission[];
}

/** Mistakes are locale keys. */
const setFieldsSchema = z.object({
  name: z.string().check(z.refine((name) => name.trim() !== "", "field.missing")),
  permissions: z.array(z.custom<Permission>(() => true)),
});

/** /permission/add */
export const AddPermissionSetPage = () => <SetForm id={undefined} initial={{ name: "", permissions: [] }} />;

/** /permission/edit/{set} */
export const EditPermissionSetPage = () => {
  const { t } = useTranslation();
  const { set: id = "" } = useParams({ strict: false });
  const query = useQuery({ ...endpointQuery(listPermissionSets, {}), staleTime: 0 });
  return (
    <Loaded title={t("permission.editTitle")} query={query}>
      {(sets) => {
        const found = sets.find((set) => set.id === id);
        if (found && !isBuiltInSet(id)) return <StoredForm key={id} set={found} />;
        return (
          <PageFrame title={found ? setName(t, found) : t("permission.editTitle")}>
            <Panel>
              {found ? (
                <PermissionTable label={t("permission.rightsLabel")} value={found.permissions} />
              ) : (
                <p className="text-ink-2">{t("permission.gone")}</p>
              )}
            </Panel>
          </PageFrame>
        );
      }}
    </Loaded>
  );
};

const StoredForm = ({ set: { id, name, permissions } }: { set: PermissionSet }) => (
  <SetForm id={id} initial={{ name, permissions: permissions.filter(isPermission) }} />
);

const SetForm = ({ id, initial }: { id: string | undefined; initial: SetFields }) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const form = useFields({ initial, schema: setFieldsSchema });
  const create = useEndpoint(createPermissionSet, form);
  const change = useEndpoint(changePermissionSet, form);
  const leave = () => void navigate({ to: "/permission" });
  const onSuccess = () => {
    notify.success(t("action.done"));
    leave();
  };
  const submit = form.handleSubmit(({ name, permissions }) => {
    const body = { name: name.trim(), permissions };
    if (id === undefined) create.mutate({ body }, { onSuccess });
    else change.mutate({ params: { set: id }, body }, { onSuccess });
  });
  const { error, ...rights } = form.value("permissions");
  return (
    <FormPage
      title={id === undefined ? t("permission.addTitle") : t("permission.editTitle")}
      onSubmit={submit}
      onCancel={leave}
      isSaving={create.isPending || change.isPending}
      isChanged={form.isChanged}
    >
      <TextField
        label={t("permission.name")}
        isRequired
        autoComplete="off"
        maxLength={MAX_SET_NAME}
        {...form.text("name")}
      />
      <Field label={t("permission.rightsLabel")} hint={t("permission.rightsHint")} error={error}>
        {() => <PermissionTable label={t("permission.rightsLabel")} {...rights} />}
      </Field>
    </FormPage>
  );
};
