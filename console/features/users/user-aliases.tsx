import { useTranslation } from "react-i18next";
import { AdvancedSection } from "../../components/advanced-section";
import { AliasField } from "../../components/alias-field";
import type { AliasTableProps } from "../../components/alias-table";

interface UserAliasesProps extends Pick<AliasTableProps, "value" | "error" | "onChange"> {
  /** The keys to which the aliases apply. */
  text: string;
  isOpen: boolean;
}

/** The aliases of models for all keys of a user. */
export const UserAliases = ({ text, isOpen, ...field }: UserAliasesProps) => {
  const { t } = useTranslation();
  return (
    <AdvancedSection
      title={t("user.aliases")}
      hint={text}
      isOpen={isOpen}
      hasMistake={field.error !== undefined}
    >
      <AliasField label={t("user.aliases")} hint={t("user.aliasesHint")} {...field} />
    </AdvancedSection>
  );
};
