import { ServerOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { failureText } from "../lib/failure-text";
import { Button } from "./button";
import { EmptyState } from "./empty-state";

interface FailedStateProps {
  error: Error;
  onRetry: () => void;
}

/** What stands where something did not come: why, and another try. */
export const FailedState = ({ error, onRetry }: FailedStateProps) => {
  const { t } = useTranslation();
  return (
    <EmptyState icon={<ServerOff />} title={t("table.failed")} text={failureText(error)}>
      <Button onClick={onRetry}>{t("action.retry")}</Button>
    </EmptyState>
  );
};
