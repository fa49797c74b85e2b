import type { ErrorComponentProps } from "@tanstack/react-router";
import { Unplug } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../components/button";
import { EmptyState } from "../components/empty-state";

/** Stands where a page failed: its code did not arrive (a new version was deployed, say), or it threw. */
export const PageBroken = ({ error }: ErrorComponentProps) => {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<Unplug />}
      title={t("page.broken")}
      text={error instanceof Error ? error.message : String(error)}
    >
      <Button onClick={() => window.location.reload()}>{t("page.reload")}</Button>
    </EmptyState>
  );
};
