import { useLocation } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { PageLoading } from "../components/page-loading";
import { pageLabel } from "./navigation";

/** Stands where a page's code is still on its way, and says which page's. */
export const PagePending = () => {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const label = pageLabel(pathname);
  return <PageLoading prompt={label && t(label)} />;
};
