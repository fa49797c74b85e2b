import { Check, Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { CodeBlock } from "../../components/code-block";
import { writeClipboard } from "../../lib/copy";
import { useExampleModel } from "../../lib/example-model";
import { notify } from "../../lib/notify";
import { serverAddress, useStatus } from "../../lib/status";

const curlExample = (address: string, model: string): string =>
  [
    `curl ${address}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer sk-..." \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"model": "${model}",`,
    `       "messages": [{"role": "user", "content": "Hello"}]}'`,
  ].join("\n");

/** Instructions for a first request, with a model that the user may use. */
export const FirstSteps = () => {
  const { t } = useTranslation();
  const address = serverAddress(useStatus());
  const model = useExampleModel(t("home.someModel"));
  return (
    <section aria-labelledby="first-steps" className="rounded-lg border border-line bg-surface p-5 wide:p-7">
      <h2 id="first-steps" className="font-semibold text-lg">
        {t("home.steps")}
      </h2>
      <ol className="mt-5 flex flex-col">
        <Step number={1} title={t("home.step1")}>
          {t("home.step1Text")}
        </Step>
        <Step number={2} title={t("home.step2")}>
          {t("home.step2Text")}
          <Code label={t("home.baseAddress")} text={`${address}/v1`} />
        </Step>
        <Step number={3} title={t("home.step3")} isLast>
          {t("home.step3Text")}
          <Code label={t("home.example")} text={curlExample(address, model)} />
        </Step>
      </ol>
    </section>
  );
};

interface StepProps {
  number: number;
  title: string;
  isLast?: boolean;
  children: ReactNode;
}

const Step = ({ number, title, isLast, children }: StepProps) => (
  <li className="relative grid grid-cols-[28px_minmax(0,1fr)] gap-3.5 pb-6 last:pb-0">
    {!isLast && <span aria-hidden className="absolute top-8 bottom-1 left-[13.5px] w-px bg-line" />}
    <span
      aria-hidden
      className="grid size-7 place-items-center rounded-full border border-line-strong font-medium text-sm text-ink-2 tabular-nums"
    >
      {number}
    </span>
    <div className="min-w-0 pt-0.5">
      <h3 className="font-medium">{title}</h3>
      <div className="mt-0.5 text-sm text-ink-2">{children}</div>
    </div>
  </li>
);

const Code = ({ label, text }: { label: string; text: string }) => {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (await writeClipboard(text)) {
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    } else {
      notify.warning(t("copy.failed"));
    }
  };
  return (
    <div className="mt-2.5 flex items-start rounded-md bg-sunken">
      <CodeBlock label={label} text={text} className="min-w-0 flex-1 py-2.5 ps-3.5 text-ink" />
      <Button
        variant="quiet"
        size="small"
        className="m-1.5 px-1.5"
        aria-label={t("home.copy", { what: label })}
        onClick={() => void copy()}
      >
        {isCopied ? (
          <Check aria-hidden className="size-3.5 text-green" />
        ) : (
          <Copy aria-hidden className="size-3.5" />
        )}
      </Button>
    </div>
  );
};
