import { missingRecord, type UsageGrouping } from "@tollgate/contract/api/usage";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";

/** Names groups of requests; a deleted channel or key is shown by its number. */
export const useGroupName = () => {
  const { t } = useTranslation();
  return useCallback(
    (by: UsageGrouping, { key, name }: { key: string; name: string }): string => {
      const missing = missingRecord(by, key);
      if (missing) return t(`usage.missing.${missing}`);
      return name || (by === "model" ? key : `#${key}`);
    },
    [t],
  );
};
