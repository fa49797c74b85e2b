import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { buttonVariants } from "../../components/button";
import { SelectField } from "../../components/select-field";
import { TextAreaField, TextField } from "../../components/text-field";
import type { OperationTabProps } from "./image-tab";
import { OperationForm } from "./operation-form";
import { soundType } from "./operation-results";
import { useOperation } from "./use-operation";

const FORMATS = ["mp3", "opus", "aac", "flac", "wav"] as const;

/** Turns text into sound. */
export const SpeechTab = ({ group, models, first }: OperationTabProps) => {
  const { t } = useTranslation();
  const [model, setModel] = useState(first);
  const [input, setInput] = useState("");
  const [voice, setVoice] = useState("alloy");
  const [format, setFormat] = useState("");
  const { outcome, isRunning, run, stop } = useOperation(
    "/v1/audio/speech",
    async (response) => {
      const type = soundType(response.headers.get("content-type"));
      const bytes = await response.arrayBuffer();
      const address = URL.createObjectURL(new Blob([bytes], { type }));
      return { result: address, text: `${type}, ${bytes.byteLength} bytes` };
    },
    (address) => URL.revokeObjectURL(address),
  );
  const body = () => ({
    model,
    input,
    voice: voice.trim(),
    ...(format === "" ? {} : { response_format: format }),
  });
  return (
    <OperationForm
      model={model}
      models={models}
      onModel={setModel}
      action={t("playground.speak")}
      isReady={input.trim() !== "" && voice.trim() !== ""}
      isRunning={isRunning}
      requestOf={() => ({ call: "speech", body: body() })}
      outcome={outcome}
      onRun={() => void run(group, body())}
      onStop={stop}
      show={(address) => (
        <div className="flex flex-wrap items-center gap-3">
          {/* biome-ignore lint/a11y/useMediaCaption: the text of the sound is the user's own input */}
          <audio controls src={address} aria-label={t("playground.sound")} className="max-w-full" />
          <a
            href={address}
            download={`speech.${format === "" ? "mp3" : format}`}
            className={buttonVariants({ variant: "quiet", size: "small" })}
          >
            <Download aria-hidden className="size-3.5" />
            {t("playground.download")}
          </a>
        </div>
      )}
    >
      <TextAreaField
        label={t("playground.input")}
        rows={3}
        value={input}
        onChange={({ target }) => setInput(target.value)}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label={t("playground.voice")}
          autoComplete="off"
          value={voice}
          onChange={({ target }) => setVoice(target.value)}
        />
        <SelectField
          label={t("playground.format")}
          value={format}
          options={[
            { value: "", label: t("playground.notSent") },
            ...FORMATS.map((each) => ({ value: each as string, label: each })),
          ]}
          onChange={setFormat}
        />
      </div>
    </OperationForm>
  );
};
