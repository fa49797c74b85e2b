import { useQuery } from "@tanstack/react-query";
import {
  type DetailedTest,
  isTestChat,
  MAX_TEST_PROMPT,
  type TestEndpoint,
  testChannelInDetail,
} from "@tollgate/contract/api/channel-upstream";
import type { Channel } from "@tollgate/contract/api/channels";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog, DialogActions } from "../../components/dialog";
import { SelectField } from "../../components/select-field";
import { SwitchField } from "../../components/switch-field";
import { TextAreaField, TextField } from "../../components/text-field";
import { formatCost } from "../../lib/profit-text";
import { useEndpoint } from "../../lib/use-endpoint";
import { testEndpointsQuery } from "./channel-queries";

interface DetailedTestDialogProps {
  channel: Channel;
  isOpen: boolean;
  onClose: () => void;
}

/** A test of a channel with a chosen model, endpoint, stream and prompt; its answer, times, tokens and cost. */
const DetailedTestDialog = ({ channel, isOpen, onClose }: DetailedTestDialogProps) => {
  const { t } = useTranslation();
  const { data: endpoints = ["chat"], isError } = useQuery(testEndpointsQuery(channel.id));
  const test = useEndpoint(testChannelInDetail);
  const [endpoint, setEndpoint] = useState<TestEndpoint>("chat");
  const [model, setModel] = useState("");
  const [isStream, setStream] = useState(false);
  const [prompt, setPrompt] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const stream = isStream && isTestChat(endpoint);
    test.mutate({ params: { id: channel.id }, body: { endpoint, model: model.trim(), stream, prompt } });
  };
  return (
    <Dialog isWide isOpen={isOpen} onClose={onClose} title={t("channelTest.title", { name: channel.name })}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {isError && <p className="text-sm text-ink-2">{t("channelTest.unknown")}</p>}
        <div className="grid gap-4 wide:grid-cols-2">
          <SelectField
            label={t("channelTest.endpoint")}
            value={endpoint}
            onChange={setEndpoint}
            options={endpoints.map((value) => ({ value, label: t(`channelTest.endpoints.${value}`) }))}
          />
          <TextField
            label={t("channel.testModel")}
            placeholder={channel.testModel || channel.models[0]}
            list="test-models"
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            value={model}
            onChange={({ target }) => setModel(target.value)}
          />
          <datalist id="test-models">
            {channel.models.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </div>
        <TextAreaField
          label={t("channelTest.prompt")}
          placeholder="hi"
          maxLength={MAX_TEST_PROMPT}
          value={prompt}
          onChange={({ target }) => setPrompt(target.value)}
        />
        {isTestChat(endpoint) && (
          <SwitchField label={t("channelTest.stream")} isOn={isStream} onChange={setStream} />
        )}
        {test.data && !test.isPending && <Outcome result={test.data} />}
        <DialogActions>
          <Button type="submit" variant="primary" isBusy={test.isPending} disabled={isError}>
            {t("channel.test")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};

/** The outcome of a test. */
const Outcome = ({ result }: { result: DetailedTest }) => {
  const { t } = useTranslation();
  const inSeconds = (ms: number | undefined) =>
    ms === undefined ? "–" : t("channel.seconds", { seconds: (ms / 1000).toFixed(2) });
  const facts = [
    ["firstByte", inSeconds(result.first_byte_ms)],
    ["duration", inSeconds(result.duration_ms)],
    ["tokens", `${result.prompt_tokens ?? "–"} / ${result.completion_tokens ?? "–"}`],
    ["cost", result.cost === undefined ? t("channelTest.costUnknown") : formatCost(result.cost)],
  ] as const;
  return (
    <div role="status" className="flex flex-col gap-3">
      <p className={result.ok ? "text-green" : "text-red"}>
        {result.ok
          ? t("channelTest.ok", { model: result.model })
          : t("channelTest.failed", { reason: result.reason ?? "" })}
      </p>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm wide:grid-cols-4">
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt className="text-ink-3">{t(`channelTest.${name}`)}</dt>
            <dd className="tabular-nums">{text}</dd>
          </div>
        ))}
      </dl>
      {result.text !== "" && (
        <pre className="max-h-60 overflow-auto whitespace-pre-wrap break-words rounded border border-line p-3 text-xs">
          {result.text}
        </pre>
      )}
      {result.ok && result.text === "" && (
        <p className="text-sm text-ink-2">{t("channelTest.bytes", { count: result.bytes })}</p>
      )}
    </div>
  );
};

export default DetailedTestDialog;
