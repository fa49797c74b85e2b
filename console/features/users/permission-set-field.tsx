import { useQuery } from "@tanstack/react-query";
import { listPermissionSets } from "@tollgate/contract/api/permission-sets";
import { useTranslation } from "react-i18next";
import { SelectField } from "../../components/select-field";
import { endpointQuery } from "../../lib/endpoint-query";
import { setName } from "../../lib/set-name";

interface PermissionSetFieldProps {
  /** The set's id; "" for none. */
  value: string;
  error: string | undefined;
  onChange: (id: string) => void;
}

/** The set of permissions of an administrator, which root chooses. */
export const PermissionSetField = ({ value, error, onChange }: PermissionSetFieldProps) => {
  const { t } = useTranslation();
  const { data } = useQuery(endpointQuery(listPermissionSets, {}));
  const sets = data ?? [];
  const isKnown = value === "" || sets.some(({ id }) => id === value);
  return (
    <SelectField
      label={t("permission.ofUser")}
      hint={t("permission.ofUserHint")}
      value={value}
      onChange={onChange}
      {...(error === undefined ? {} : { error })}
      options={[
        { value: "", label: t("permission.everything") },
        ...sets.map((set) => ({ value: set.id, label: setName(t, set) })),
        ...(isKnown ? [] : [{ value, label: data ? t("permission.gone") : value }]),
      ]}
    />
  );
};
