import { findVendor } from "@tollgate/vendors/vendors";
import { useTranslation } from "react-i18next";

/** Names a channel type in the page's language. */
export const useVendorName = (): ((type: number) => string) => {
  const { t, i18n } = useTranslation();
  return (type) => {
    const vendor = findVendor(type);
    if (!vendor) return t("channel.unknownType", { type });
    return i18n.language === "en" ? vendor.name.en : vendor.name.zh;
  };
};
