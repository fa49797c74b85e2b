import { Download, ExternalLink } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { buttonVariants } from "../../components/button";
import { SelectField } from "../../components/select-field";
import { TextAreaField, TextField } from "../../components/text-field";
import { OperationForm } from "./operation-form";
import { type Picture, readPictures } from "./operation-results";
import { useOperation } from "./use-operation";

const COUNTS = [1, 2, 3, 4] as const;

/** What a tab of one request gets from the page. */
export interface OperationTabProps {
  group: string;
  /** Names of the models, those that fit first. */
  models: readonly string[];
  /** The model to begin with. */
  first: string;
}

/** Generates pictures. */
export const ImageTab = ({ group, models, first }: OperationTabProps) => {
  const { t } = useTranslation();
  const [model, setModel] = useState(first);
  const [prompt, setPrompt] = useState("");
  const [size, setSize] = useState("");
  const [count, setCount] = useState<number>(1);
  const { outcome, isRunning, run, stop } = useOperation("/v1/images/generations", async (response) => {
    const text = await response.text();
    return { result: readPictures(text), text };
  });
  const body = () => ({
    model,
    prompt,
    ...(count === 1 ? {} : { n: count }),
    ...(size.trim() === "" ? {} : { size: size.trim() }),
  });
  return (
    <OperationForm
      model={model}
      models={models}
      onModel={setModel}
      action={t("playground.generate")}
      isReady={prompt.trim() !== ""}
      isRunning={isRunning}
      requestOf={() => ({ call: "image", body: body() })}
      outcome={outcome}
      onRun={() => void run(group, body())}
      onStop={stop}
      show={(pictures) => <Pictures pictures={pictures} />}
    >
      <TextAreaField
        label={t("playground.prompt")}
        rows={3}
        value={prompt}
        onChange={({ target }) => setPrompt(target.value)}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label={t("playground.size")}
          hint={t("playground.sizeHint")}
          placeholder={t("playground.notSent")}
          autoComplete="off"
          value={size}
          onChange={({ target }) => setSize(target.value)}
        />
        <SelectField
          label={t("playground.pictures")}
          value={count}
          options={COUNTS.map((value) => ({ value: value as number, label: String(value) }))}
          onChange={setCount}
        />
      </div>
    </OperationForm>
  );
};

const Pictures = ({ pictures }: { pictures: readonly Picture[] }) => {
  const { t } = useTranslation();
  return (
    <ul className="grid grid-cols-1 gap-3 wide:grid-cols-2">
      {pictures.map(({ data, address }, index) => {
        const name = t("playground.picture", { number: index + 1 });
        const source = `data:image/png;base64,${data}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: pictures of an answer have no other name
          <li key={index} className="flex min-w-0 flex-col items-start gap-2">
            {data !== undefined && (
              <>
                <img src={source} alt={name} className="max-h-96 max-w-full rounded-md border border-line" />
                <a
                  href={source}
                  download={`picture-${index + 1}.png`}
                  className={buttonVariants({ variant: "quiet", size: "small" })}
                >
                  <Download aria-hidden className="size-3.5" />
                  {t("playground.download")}
                </a>
              </>
            )}
            {address !== undefined && (
              // Not shown here: its host would learn who looks at it.
              <a
                href={address}
                target="_blank"
                rel="noopener noreferrer"
                className={buttonVariants({ variant: "plain", size: "small" })}
              >
                <ExternalLink aria-hidden className="size-3.5" />
                {name}: {t("playground.pictureLink")}
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
};
