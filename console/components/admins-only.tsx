import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { buttonVariants } from "./button";
import { EmptyState } from "./empty-state";

/** Shown in place of a page that only administrators may see. */
export const AdminsOnly = ({ title }: { title: string }) => {
  const { t } = useTranslation();
  return (
    <EmptyState icon={<Lock />} title={title}>
      <Link to="/" className={buttonVariants()}>
        {t("notFound.home")}
      </Link>
    </EmptyState>
  );
};
