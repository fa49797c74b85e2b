import { Link } from "@tanstack/react-router";
import { MapPinOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { buttonVariants } from "../components/button";
import { EmptyState } from "../components/empty-state";

/** Any address that is no page. */
export const NotFoundPage = () => {
  const { t } = useTranslation();
  return (
    <>
      <h1 className="sr-only">{t("notFound.heading")}</h1>
      <EmptyState icon={<MapPinOff />} title={t("notFound.heading")} text={t("notFound.text")}>
        <Link to="/" className={buttonVariants()}>
          {t("notFound.home")}
        </Link>
      </EmptyState>
    </>
  );
};
