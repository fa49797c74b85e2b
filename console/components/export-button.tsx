import { type Endpoint, pathOf } from "@tollgate/contract/resource/endpoint";
import { clsx } from "clsx";
import { Download, LoaderCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { HttpError, type QueryValue } from "../lib/api-client";
import { failureText } from "../lib/failure-text";
import { currentLanguage } from "../lib/i18n";
import { notify } from "../lib/notify";
import { reportError } from "../lib/report-error";
import { saveFile } from "../lib/save-file";
import { clockOffsetMinutes } from "../lib/usage/usage-range";
import { useMutation } from "../lib/use-mutation";
import { Button } from "./button";
import { LateMenu } from "./late-popup";

interface ExportButtonProps {
  /** The call that answers the file. */
  file: Endpoint;
  /** Of its path. */
  params?: Readonly<Record<string, string | number>>;
  /** What of the page's filters the file is narrowed by, as it is when the file is asked for. */
  query: () => Record<string, QueryValue>;
  /** Where there is no room for a word. */
  isIcon?: boolean;
}

/** Saves what a page lists, all of it and not the rows of one page alone, as a file of a format that one chooses. */
export const ExportButton = ({ file, params, query, isIcon = false }: ExportButtonProps) => {
  const { t } = useTranslation();
  const { mutate: save, isPending: isAsking } = useMutation({
    mutationFn: (format: "csv" | "jsonl") =>
      saveFile(pathOf(file, params), {
        ...query(),
        format,
        offset_minutes: clockOffsetMinutes(),
        language: currentLanguage(),
      }),
    onError: (error) => {
      // Here it is not this person's calls that are too many, and the server says what is.
      if (error instanceof HttpError && error.status === 429) notify.error(failureText(error));
      else reportError(error);
    },
    meta: { silent: true },
  });
  // Never switched off while it asks: the focus comes back to it from its menu.
  const Sign = isAsking ? LoaderCircle : Download;
  return (
    <LateMenu
      trigger={
        <Button
          aria-busy={isAsking || undefined}
          size={isIcon ? "icon" : undefined}
          aria-label={isIcon ? t("action.export") : undefined}
          title={isIcon ? t("action.export") : undefined}
        >
          <Sign aria-hidden className={clsx("size-3.5", isAsking && "animate-[spin_0.9s_linear_infinite]")} />
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
