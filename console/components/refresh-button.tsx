import { RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";

interface RefreshButtonProps {
  isBusy?: boolean;
  onClick: () => void;
}

/** Reads the numbers of a page again. */
export const RefreshButton = ({ isBusy, onClick }: RefreshButtonProps) => {
  const { t } = useTranslation();
  return (
    <Button
      size="icon"
      aria-label={t("action.refresh")}
      title={t("action.refresh")}
      isBusy={isBusy}
      onClick={onClick}
    >
      {!isBusy && <RotateCw aria-hidden className="size-3.5" />}
    </Button>
  );
};
