import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { CodeBlock } from "../../components/code-block";
import { TextAreaField, TextField } from "../../components/text-field";
import { copyOrShow } from "../../lib/copy";
import type { OperationTabProps } from "./image-tab";
import { OperationForm } from "./operation-form";
import { normOf, readVector } from "./operation-results";
import { useOperation } from "./use-operation";

const SHOWN_VALUES = 16;

/** Turns text into a vector. */
export const EmbeddingTab = ({ group, models, first }: OperationTabProps) => {
  const { t } = useTranslation();
  const [model, setModel] = useState(first);
  const [input, setInput] = useState("");
  const [dimensions, setDimensions] = useState("");
  const isWhole = /^\d{0,6}$/.test(dimensions.trim());
  const { outcome, isRunning, run, stop } = useOperation("/v1/embeddings", async (response) => {
    const text = await response.text();
    return { result: readVector(text), text };
  });
  const body = () => ({
    model,
    input,
    ...(dimensions.trim() === "" ? {} : { dimensions: Number(dimensions) }),
  });
  return (
    <OperationForm
      model={model}
      models={models}
      onModel={setModel}
      action={t("playground.embed")}
      isReady={input.trim() !== "" && isWhole}
      isRunning={isRunning}
      requestOf={() => ({ call: "embedding", body: body() })}
      outcome={outcome}
      onRun={() => void run(group, body())}
      onStop={stop}
      show={(vector) => <Vector vector={vector} />}
    >
      <TextAreaField
        label={t("playground.input")}
        rows={3}
        value={input}
        onChange={({ target }) => setInput(target.value)}
      />
      <TextField
        label={t("playground.dimensions")}
        inputMode="numeric"
        autoComplete="off"
        placeholder={t("playground.notSent")}
        value={dimensions}
        {...(isWhole ? {} : { error: t("playground.mistake.dimensions") })}
        onChange={({ target }) => setDimensions(target.value)}
      />
    </OperationForm>
  );
};

const Vector = ({ vector }: { vector: readonly number[] }) => {
  const { t } = useTranslation();
  const first = vector.slice(0, SHOWN_VALUES).map((value) => value.toFixed(6));
  const isAll = vector.length <= SHOWN_VALUES;
  return (
    <section aria-label={t("playground.vector")} className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p>{t("playground.vectorFacts", { size: vector.length, norm: normOf(vector).toFixed(4) })}</p>
        <Button size="small" onClick={() => void copyOrShow(JSON.stringify(vector), () => undefined)}>
          {t("playground.vectorCopy")}
        </Button>
      </div>
      <CodeBlock
        label={t("playground.vectorFirst")}
        text={`[${first.join(", ")}${isAll ? "" : ", …"}]`}
        className="rounded-md bg-sunken p-3"
      />
    </section>
  );
};
