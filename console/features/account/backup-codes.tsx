import { Copy, Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { copyOrShow } from "../../lib/copy";
import { downloadText } from "../../lib/download-text";

/** Backup codes, which are shown this once, with the ways to keep them. */
export const BackupCodes = ({ codes }: { codes: readonly string[] }) => {
  const { t } = useTranslation();
  const text = codes.map((code) => `${code}\n`).join("");
  return (
    <section aria-label={t("secondFactor.backupCodes")} className="flex flex-col gap-2">
      <p className="font-medium text-sm">{t("secondFactor.backupCodes")}</p>
      <p className="text-sm text-ink-2">{t("secondFactor.backupText")}</p>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-1 rounded-md bg-sunken px-3 py-2 font-mono text-sm">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        {/* Where the clipboard refuses, they stand above. */}
        <Button size="small" onClick={() => void copyOrShow(text, () => undefined)}>
          <Copy aria-hidden className="size-3.5" />
          {t("secondFactor.copyCodes")}
        </Button>
        <Button size="small" onClick={() => downloadText(text, "backup-codes.txt")}>
          <Download aria-hidden className="size-3.5" />
          {t("secondFactor.saveCodes")}
        </Button>
      </div>
    </section>
  );
};
