import { useLocation } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { PageLoading } from "../components/page-loading";
import { pageLabel } from "./navigation";

/** Shown while a page's code loads, with the page's name. */
export const PagePending = () => {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const label = pageLabel(pathname);
  return <PageLoading prompt={label && t(label)} />;
};
