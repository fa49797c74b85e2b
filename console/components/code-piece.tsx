import { Copy } from "lucide-react";
import { useTranslation } from "react-i18next";
import { copyOrShow } from "../lib/copy";
import { Button } from "./button";
import { CodeBlock } from "./code-block";

/** Copies a text. @param label its name for screen readers. */
export const CopyButton = ({ label, text }: { label: string; text: string }) => {
  const { t } = useTranslation();
  const name = `${t("action.copy")}: ${label}`;
  return (
    <Button
      variant="quiet"
      size="smallIcon"
      aria-label={name}
      title={t("action.copy")}
      onClick={() => void copyOrShow(text, () => undefined)}
    >
      <Copy aria-hidden className="size-3.5" />
    </Button>
  );
};

/** Code with its name and a button that copies it. */
export const CodePiece = ({ label, text }: { label: string; text: string }) => (
  <div className="rounded-md bg-sunken">
    <header className="flex items-center justify-between gap-2 ps-3 pe-1">
      <span className="font-mono text-xs text-ink-2">{label}</span>
      <CopyButton label={label} text={text} />
    </header>
    <CodeBlock label={label} text={text} className="px-3 pb-3" />
  </div>
);
