import type { ConnectTemplate } from "@tollgate/contract/management/connect-templates";
import { Copy, ExternalLink } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { CONNECT_GUIDES, type Connection } from "../lib/connect-guides";
import { fillTemplate, hostOf } from "../lib/connect-templates";
import { copyOrShow } from "../lib/copy";
import { quotableModel } from "../lib/offered-models";
import { Button, buttonVariants } from "./button";
import { CodeBlock } from "./code-block";
import { SelectField } from "./select-field";

interface ConnectGuideProps {
  connection: Connection;
  /** The site's own templates, after the built-in guides. */
  templates?: readonly ConnectTemplate[];
  /** Shown beside the choice of the program, for example a choice of the model. */
  beside?: ReactNode;
}

/** Instructions to connect a chosen program to the gateway. Its texts are in the area "tokens". */
export const ConnectGuide = ({ connection, templates = [], beside }: ConnectGuideProps) => {
  const { t } = useTranslation();
  const [guideId, setGuideId] = useState("curl");
  const guide = CONNECT_GUIDES.find(({ id }) => id === guideId);
  const template = templates.find(({ name }) => ownId(name) === guideId);
  const quotable = { ...connection, model: quotableModel(connection.model) };
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-3 wide:grid-cols-2">
        <SelectField
          label={t("token.connect.program")}
          value={guideId}
          options={[
            ...CONNECT_GUIDES.map(({ id, title }) => ({ value: id, label: title })),
            ...templates.map(({ name }) => ({ value: ownId(name), label: name })),
          ]}
          onChange={setGuideId}
        />
        {beside}
      </div>
      {template && <OwnGuide template={template} connection={quotable} />}
      {guide?.snippets?.(quotable).map(({ file, text }) => (
        <Piece key={text} label={file ?? t("token.connect.terminal")} text={text} />
      ))}
      {guide?.settings && (
        <section aria-label={guide.title} className="flex flex-col gap-2">
          <p className="text-sm text-ink-2">{guide.settings.at}</p>
          <dl className="flex flex-col gap-2">
            {guide.settings.fields(connection).map(([label, value]) => (
              <div key={label} className="flex items-center gap-3 rounded-md bg-sunken px-3 py-1.5">
                <dt className="w-24 shrink-0 text-sm text-ink-2 wide:w-40">{label}</dt>
                <dd className="flex min-w-0 flex-1 items-center gap-3">
                  <CodeBlock label={label} text={value} className="min-w-0 flex-1 py-1" />
                  <CopyButton label={label} text={value} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      <p className="text-xs text-ink-3">{t("token.connect.secret")}</p>
    </div>
  );
};

/** The prefix separates a site template's name from a built-in guide with the same name. */
const ownId = (name: string): string => `own ${name}`;

/** A site template: a link to open, or a text to copy. */
const OwnGuide = ({ template, connection }: { template: ConnectTemplate; connection: Connection }) => {
  const { t } = useTranslation();
  const { name, kind } = template;
  const filled = fillTemplate(template, connection);
  if (filled === undefined) return null;
  if (kind === "text") return <Piece label={name} text={filled} />;
  const host = hostOf(filled);
  return (
    <div className="flex flex-col items-start gap-1.5">
      <a
        href={filled}
        target="_blank"
        rel="noopener noreferrer"
        className={buttonVariants({ variant: "primary" })}
      >
        <ExternalLink aria-hidden className="size-4" />
        {t("token.connect.open", { name })}
      </a>
      {host && <p className="text-sm text-ink-2">{t("token.connect.opensAt", { host })}</p>}
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
  <div className="rounded-md bg-sunken">
    <header className="flex items-center justify-between gap-2 ps-3 pe-1">
      <span className="font-mono text-xs text-ink-2">{label}</span>
      <CopyButton label={label} text={text} />
    </header>
    <CodeBlock label={label} text={text} className="px-3 pb-3" />
  </div>
);
