import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { Unplug } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../components/button";
import { EmptyState } from "../components/empty-state";
import { failureText } from "../lib/failure-text";
import { isSiteReachable } from "../lib/missing-code";
import { notify } from "../lib/notify";

/** Shown in place of a failed page: its code did not load (for example after a new deployment), or it threw. */
export const PageBroken = ({ error }: ErrorComponentProps) => {
  const { t } = useTranslation();
  const { history } = useRouter();
  const [isAsking, setAsking] = useState(false);
  const reload = async () => {
    setAsking(true);
    // A reload without a reachable server would replace the console by the browser's own error page.
    if (await isSiteReachable()) window.location.reload();
    else notify.error(t("start.unreachable"));
    setAsking(false);
  };
  return (
    <>
      <h1 className="sr-only">{t("page.broken")}</h1>
      <EmptyState
        icon={<Unplug />}
        title={t("page.broken")}
        text={error instanceof Error ? failureText(error) : String(error)}
      >
        <Button onClick={() => history.back()}>{t("page.back")}</Button>
        <Button variant="primary" isBusy={isAsking} onClick={() => void reload()}>
          {t("page.reload")}
        </Button>
      </EmptyState>
    </>
  );
};
