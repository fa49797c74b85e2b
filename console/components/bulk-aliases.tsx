import { hasWholeAliases } from "@tollgate/contract/management/model-aliases";
import { useTranslation } from "react-i18next";
import { AliasField } from "./alias-field";
import { type BulkEdit, BulkRow } from "./bulk-fields";

/** The aliases of a change of many records. @returns undefined while they are invalid. */
export const toAliasChange = (modelAliases: string): { modelAliases: string } | undefined =>
  hasWholeAliases(modelAliases) ? { modelAliases } : undefined;

interface BulkAliasesProps {
  edit: BulkEdit;
  value: string;
  onChange: (json: string) => void;
}

/** The model aliases of many keys or users; an enabled empty table removes them. */
export const BulkAliases = ({ edit, value, onChange }: BulkAliasesProps) => {
  const { t } = useTranslation();
  return (
    <BulkRow edit={edit} name="modelAliases" label={t("batch.aliases")}>
      <AliasField
        label={t("batch.aliases")}
        hint={t("batch.aliasesHint")}
        value={value}
        error={hasWholeAliases(value) ? edit.errorOf("model_aliases") : t("alias.invalid")}
        onChange={onChange}
      />
    </BulkRow>
  );
};
