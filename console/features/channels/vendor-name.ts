import { findCard } from "@tollgate/vendors/slim/find-card";
import { useTranslation } from "react-i18next";

/** Names a channel type in the page's language. */
export const useVendorName = (): ((type: number) => string) => {
  const { t, i18n } = useTranslation();
  return (type) => {
    const name = findCard(type)?.name;
    if (name === undefined) return t("channel.unknownType", { type });
    if (typeof name === "string") return name;
    return i18n.language === "en" ? name.en : name.zh;
  };
};
