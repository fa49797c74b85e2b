import { CircleSlash, ServerOff } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isUnknownCall } from "../lib/api-client";
import { failureText } from "../lib/failure-text";
import { Button } from "./button";
import { EmptyState } from "./empty-state";

interface FailedStateProps {
  error: Error;
  onRetry: () => void;
  /** A link or button besides the retry. */
  children?: ReactNode;
}

/** Shown for content that did not load: the reason and a retry, or that this server does not have it. */
export const FailedState = ({ error, onRetry, children }: FailedStateProps) => {
  const { t } = useTranslation();
  if (isUnknownCall(error))
    return (
      <EmptyState icon={<CircleSlash />} title={t("table.notOffered")} text={t("table.notOfferedText")} />
    );
  return (
    <EmptyState icon={<ServerOff />} title={t("table.failed")} text={failureText(error)}>
      <Button onClick={onRetry}>{t("action.retry")}</Button>
      {children}
    </EmptyState>
  );
};
