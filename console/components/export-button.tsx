import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { QueryValue } from "../lib/api-client";
import { currentLanguage } from "../lib/i18n";
import { saveFile } from "../lib/save-file";
import { clockOffsetMinutes } from "../lib/usage/usage-range";
import { Button } from "./button";
import { LateMenu } from "./late-menu";

interface ExportButtonProps {
  /** The call that answers the file. */
  path: string;
  /** What of the page's filters the file is narrowed by, as it is when the file is asked for. */
  query: () => Record<string, QueryValue>;
  /** Where there is no room for a word. */
  isIcon?: boolean;
}

/** Saves what a page lists, all of it and not the rows of one page alone, as a file of a format that one chooses. */
export const ExportButton = ({ path, query, isIcon = false }: ExportButtonProps) => {
  const { t } = useTranslation();
  const save = (format: "csv" | "jsonl"): void =>
    saveFile(path, {
      ...query(),
      format,
      offset_minutes: clockOffsetMinutes(),
      language: currentLanguage(),
    });
  return (
    <LateMenu
      trigger={
        <Button
          size={isIcon ? "icon" : undefined}
          aria-label={isIcon ? t("action.export") : undefined}
          title={isIcon ? t("action.export") : undefined}
        >
          <Download aria-hidden className="size-3.5" />
          {!isIcon && t("action.export")}
        </Button>
      }
      entries={[
        { label: t("export.csv"), onSelect: () => save("csv") },
        { label: t("export.jsonl"), onSelect: () => save("jsonl") },
      ]}
    />
  );
};
