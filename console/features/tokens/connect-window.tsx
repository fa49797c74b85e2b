import { useQuery } from "@tanstack/react-query";
import type { Token } from "@tollgate/contract/api/tokens";
import { Copy } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Field } from "../../components/field";
import { Select } from "../../components/select";
import { TextField } from "../../components/text-field";
import { copyOrShow } from "../../lib/copy";
import { exampleModel, offeredModelsQuery } from "../../lib/offered-models";
import { serverAddress, useStatus } from "../../lib/status";
import { bearerKey } from "./client-links";
import { CONNECT_GUIDES, type Connection } from "./connect-guides";

interface ConnectWindowProps {
  token: Token;
  onClose: () => void;
}

/** How programs are pointed at the gateway with one key: filled in with the key, the address and a model that it may use. */
const ConnectWindow = ({ token, onClose }: ConnectWindowProps) => {
  const { t } = useTranslation();
  const status = useStatus();
  const key = bearerKey(token.key);
  const { data: models, error } = useQuery(offeredModelsQuery(key));
  const [guideId, setGuideId] = useState("curl");
  const [chosen, setChosen] = useState<string>();
  const model = chosen ?? (models && exampleModel(models)) ?? "";
  const guide = CONNECT_GUIDES.find(({ id }) => id === guideId);
  const connection: Connection = {
    address: serverAddress(status),
    key,
    model: model || t("token.connect.someModel"),
  };
  const isNameless = models?.length === 0 || error !== null;
  return (
    <Dialog isOpen isWide onClose={onClose} title={t("token.connect.title", { name: token.name })}>
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
          {isNameless ? (
            <TextField
              label={t("field.model")}
              value={chosen ?? ""}
              hint={t(error ? "token.connect.modelsFailed" : "token.connect.noModels")}
              autoComplete="off"
              onChange={(event) => setChosen(event.target.value)}
            />
          ) : (
            <Field label={t("field.model")}>
              {(control) => (
                <Select
                  control={control}
                  value={model}
                  groups={[{ options: (models ?? []).map((name) => ({ value: name, label: name })) }]}
                  onChange={setChosen}
                />
              )}
            </Field>
          )}
        </div>
        {guide?.snippets?.(connection).map(({ file, text }) => (
          <Piece key={text} label={file ?? t("token.connect.terminal")} text={text} />
        ))}
        {guide?.settings && (
          <section aria-label={guide.title} className="flex flex-col gap-2">
            <p className="text-[13px] text-ink-2">{guide.settings.at}</p>
            <dl className="flex flex-col gap-2">
              {guide.settings.fields(connection).map(([label, value]) => (
                <div key={label} className="flex items-center gap-3 rounded-md bg-sunken px-3 py-1.5">
                  <dt className="w-24 shrink-0 text-[13px] text-ink-2 wide:w-40">{label}</dt>
                  <dd className="min-w-0 flex-1 break-all font-mono text-[12.5px]">{value}</dd>
                  <CopyButton label={label} text={value} />
                </div>
              ))}
            </dl>
          </section>
        )}
        <p className="text-[12.5px] text-ink-3">{t("token.connect.secret")}</p>
      </div>
    </Dialog>
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
      <h3 className="font-mono text-[12.5px] text-ink-2">{label}</h3>
      <CopyButton label={label} text={text} />
    </header>
    <pre className="whitespace-pre-wrap break-words px-3 pb-3 font-mono text-[12.5px] leading-relaxed">
      {text}
    </pre>
  </section>
);

export default ConnectWindow;
