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
  /** The call that returns the file. */
  file: Endpoint;
  /** Its path parameters. */
  params?: Readonly<Record<string, string | number>>;
  /** The page's filters that apply to the file, read when it is requested. */
  query: () => Record<string, QueryValue>;
  /** Whether the call also makes a document to print. */
  hasPdf?: boolean;
  /** For places without room for a label. */
  isIcon?: boolean;
}

/** Saves all rows of a list, not only the shown page, as a file in a chosen format. */
export const ExportButton = ({ file, params, query, hasPdf = false, isIcon = false }: ExportButtonProps) => {
  const { t } = useTranslation();
  const { mutate: save, isPending: isAsking } = useMutation({
    mutationFn: (format: "csv" | "jsonl" | "pdf") =>
      saveFile(pathOf(file, params), {
        offset_minutes: clockOffsetMinutes(),
        ...query(),
        format,
        language: currentLanguage(),
      }),
    onError: (error) => {
      // This 429 is not about too many calls by this user; the server's text gives the limit.
      if (error instanceof HttpError && error.status === 429) notify.error(failureText(error));
      else reportError(error);
    },
    meta: { silent: true },
  });
  // Stays enabled while it loads: the menu returns the focus to it.
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
        ...(hasPdf ? [{ label: t("export.pdf"), onSelect: () => save("pdf") }] : []),
        { label: t("export.csv"), onSelect: () => save("csv") },
        { label: t("export.jsonl"), onSelect: () => save("jsonl") },
      ]}
    />
  );
};
