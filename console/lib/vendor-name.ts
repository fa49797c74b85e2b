import { findCard } from "@tollgate/vendors/slim/find-card";
import { useTranslation } from "react-i18next";
import { currentLanguage } from "./i18n";

/** Names a channel type in the page's language: by its texts, else by the vendor's file. */
export const useVendorName = (): ((type: number) => string) => {
  const { t, i18n } = useTranslation();
  return (type) => {
    const name = findCard(type)?.name;
    if (name === undefined) return t("channel.unknownType", { type });
    const own: unknown = i18n.getResource(currentLanguage(), "translation", `vendorName.${type}`);
    return typeof own === "string" ? own : name;
  };
};
