import { Tabs } from "@base-ui/react/tabs";
import type { ConnectTemplate } from "@tollgate/contract/management/connect-templates";
import { ExternalLink } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { CONNECT_GUIDES, type Connection, type ConnectGuide as Guide } from "../lib/connect-guides";
import { fillTemplate, hostOf } from "../lib/connect-templates";
import { readStored, subscribeStored, writeStored } from "../lib/local-store";
import { quotableModel } from "../lib/offered-models";
import { buttonVariants } from "./button";
import { CodeBlock } from "./code-block";
import { CodePiece, CopyButton } from "./code-piece";

/** Local storage key of the program that was chosen last, for every key and model. */
const STORED = "connect_program";

const storedProgram = (): string | undefined => readStored(STORED);

export interface ConnectGuideProps {
  connection: Connection;
  /** The site's own templates, after the built-in guides. */
  templates?: readonly ConnectTemplate[];
  /** Shown above the programs, for example a choice of the model. */
  above?: ReactNode;
}

interface Program {
  id: string;
  title: string;
  guide: ReactNode;
}

/** Instructions to connect programs to the gateway, a tab for each. Its texts are in the area "tokens". */
const ConnectGuide = ({ connection, templates = [], above }: ConnectGuideProps) => {
  const { t } = useTranslation();
  const stored = useSyncExternalStore(subscribeStored, storedProgram);
  const quotable = { ...connection, model: quotableModel(connection.model) };
  const programs: Program[] = [
    ...CONNECT_GUIDES.map((guide) => ({
      id: guide.id,
      title: guide.title,
      guide: <BuiltInGuide guide={guide} connection={connection} quotable={quotable} />,
    })),
    ...templates.map((template) => ({
      id: ownId(template.name),
      title: template.name,
      guide: <OwnGuide template={template} connection={quotable} />,
    })),
  ];
  // The stored program may be a template that the site has removed.
  const shown = programs.some(({ id }) => id === stored) ? stored : "curl";
  return (
    <div className="flex flex-col gap-4">
      {above && <div className="grid gap-3 wide:grid-cols-2">{above}</div>}
      <Tabs.Root
        value={shown}
        onValueChange={(id: string) => writeStored(STORED, id)}
        className="flex flex-col gap-4"
      >
        <Tabs.List aria-label={t("token.connect.program")} className="flex flex-wrap gap-1" activateOnFocus>
          {programs.map(({ id, title }) => (
            <Tabs.Tab
              key={id}
              value={id}
              className="h-(--control-height) max-w-full truncate rounded-md px-2.5 text-sm text-ink-2 hover:text-ink data-active:bg-accent-soft data-active:text-accent"
            >
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {programs.map(({ id, guide }) => (
          <Tabs.Panel key={id} value={id} className="flex flex-col gap-4">
            {guide}
          </Tabs.Panel>
        ))}
      </Tabs.Root>
      <p className="text-xs text-ink-3">{t("token.connect.secret")}</p>
    </div>
  );
};

interface BuiltInGuideProps {
  guide: Guide;
  connection: Connection;
  /** The connection with a model whose name needs no quoting. */
  quotable: Connection;
}

const BuiltInGuide = ({ guide, connection, quotable }: BuiltInGuideProps) => {
  const { t } = useTranslation();
  return (
    <>
      {guide.snippets?.(quotable).map(({ file, text }) => (
        <CodePiece key={text} label={file ?? t("token.connect.terminal")} text={text} />
      ))}
      {guide.settings && (
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
    </>
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
  if (kind === "text") return <CodePiece label={name} text={filled} />;
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

export default ConnectGuide;
