import { Construction } from "lucide-react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../components/empty-state";

/** Stands at the address of a page that is not built yet. */
export const ComingPage = () => {
  const { t } = useTranslation();
  return (
    <>
      <h1 className="sr-only">{t("coming.title")}</h1>
      <EmptyState icon={<Construction />} title={t("coming.title")} text={t("coming.text")} />
    </>
  );
};
