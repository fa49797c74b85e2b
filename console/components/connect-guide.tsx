import { Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { CONNECT_GUIDES, type Connection } from "../lib/connect-guides";
import { copyOrShow } from "../lib/copy";
import { Button } from "./button";
import { Field } from "./field";
import { Select } from "./select";

interface ConnectGuideProps {
  connection: Connection;
  /** Stands beside the choice of the program: the choice of the model, say. */
  beside?: ReactNode;
}

/** How a program, which is chosen here, is pointed at the gateway. Its texts are those of the area "tokens". */
export const ConnectGuide = ({ connection, beside }: ConnectGuideProps) => {
  const { t } = useTranslation();
  const [guideId, setGuideId] = useState("curl");
  const guide = CONNECT_GUIDES.find(({ id }) => id === guideId);
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-3 wide:grid-cols-2">
        <Field label={t("token.connect.program")}>
          {(control) => (
            <Select
              control={control}
              value={guideId}
              groups={[{ options: CONNECT_GUIDES.map(({ id, title }) => ({ value: id, label: title })) }]}
              onChange={setGuideId}
            />
          )}
        </Field>
        {beside}
      </div>
      {guide?.snippets?.(connection).map(({ file, text }) => (
        <Piece key={text} label={file ?? t("token.connect.terminal")} text={text} />
      ))}
      {guide?.settings && (
        <section aria-label={guide.title} className="flex flex-col gap-2">
          <p className="text-sm text-ink-2">{guide.settings.at}</p>
          <dl className="flex flex-col gap-2">
            {guide.settings.fields(connection).map(([label, value]) => (
              <div key={label} className="flex items-center gap-3 rounded-md bg-sunken px-3 py-1.5">
                <dt className="w-24 shrink-0 text-sm text-ink-2 wide:w-40">{label}</dt>
                <dd className="min-w-0 flex-1 break-all font-mono text-xs">{value}</dd>
                <CopyButton label={label} text={value} />
              </div>
            ))}
          </dl>
        </section>
      )}
      <p className="text-xs text-ink-3">{t("token.connect.secret")}</p>
    </div>
  );
};

const CopyButton = ({ label, text }: { label: string; text: string }) => {
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

const Piece = ({ label, text }: { label: string; text: string }) => (
  <section aria-label={label} className="overflow-hidden rounded-md bg-sunken">
    <header className="flex items-center justify-between gap-2 ps-3 pe-1">
      <span className="font-mono text-xs text-ink-2">{label}</span>
      <CopyButton label={label} text={text} />
    </header>
    <pre className="whitespace-pre-wrap break-words px-3 pb-3 font-mono text-xs leading-relaxed">{text}</pre>
  </section>
);
