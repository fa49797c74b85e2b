import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import type { PlaygroundFailure } from "./playground-call";

interface FailureNoteProps {
  failure: PlaygroundFailure;
  /** Asks again; absent where that is not possible. */
  onRetry?: (() => void) | undefined;
}

/** Why a request came to nothing, in the gateway's words. */
export const FailureNote = ({ failure: { status, message }, onRetry }: FailureNoteProps) => {
  const { t } = useTranslation();
  const text =
    message !== ""
      ? message
      : status === 0
        ? t("playground.disconnected")
        : t("playground.failed", { status });
  return (
    <div role="alert" className="flex flex-wrap items-center gap-2 rounded-md bg-red-soft px-3 py-2">
      <p className="wrap-anywhere min-w-0 flex-1 text-red text-sm">{text}</p>
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          {t("playground.retry")}
        </Button>
      )}
    </div>
  );
};
