import { Link } from "@tanstack/react-router";
import { ChartColumn, Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../../components/button";
import { CodeBlock } from "../../components/code-block";
import { copyOrShow } from "../../lib/copy";
import { useExampleModel } from "../../lib/example-model";
import { useOwnExample } from "../../lib/offered-models";
import { serverAddress, useStatus } from "../../lib/status";

interface FirstRequestProps {
  /** Switches to a longer range; undefined without one. */
  onWiden?: () => void;
}

/** Shown for a range without usage: how to send a request that would appear here. */
export const FirstRequest = ({ onWiden }: FirstRequestProps) => {
  const { t } = useTranslation();
  const status = useStatus();
  const own = useOwnExample();
  const model = useExampleModel(t("dashboard.empty.someModel"));
  const [isKeyShown, setKeyShown] = useState(false);
  const exampleWith = (key: string) => `curl ${serverAddress(status)}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}'`;
  const example = exampleWith(own && isKeyShown ? own.key : "sk-…");
  return (
    <section
      aria-labelledby="first-request"
      className="flex flex-col items-center rounded-lg border border-line bg-surface px-4 py-14 wide:px-6"
    >
      <div
        aria-hidden
        className="mb-2 grid size-12 place-items-center rounded-full bg-accent-soft text-accent"
      >
        <ChartColumn className="size-6" />
      </div>
      <h2 id="first-request" className="font-semibold text-lg">
        {t("dashboard.empty.title")}
      </h2>
      <p className="max-w-sm text-center text-ink-2">{t("dashboard.empty.text")}</p>
      <ol className="mt-6 flex w-full max-w-form flex-col gap-5">
        <Step number={1} title={t("dashboard.empty.key")}>
          <Link to="/token/add" className={buttonVariants({ variant: "primary" })}>
            {t("dashboard.empty.createKey")}
          </Link>
          <Link to="/token" className={buttonVariants({ variant: "quiet" })}>
            {t("dashboard.empty.toKeys")}
          </Link>
        </Step>
        <Step number={2} title={t("dashboard.empty.send")}>
          <div className="flex w-full min-w-0 items-start rounded-md bg-sunken">
            <CodeBlock
              label={t("dashboard.empty.send")}
              text={example}
              className="min-w-0 flex-1 py-3 ps-3"
            />
            <Button
              variant="quiet"
              size="smallIcon"
              className="m-1.5"
              aria-label={t("action.copy")}
              title={t("action.copy")}
              // Copied as a whole, so that it runs unchanged.
              onClick={() => void copyOrShow(exampleWith(own?.key ?? "sk-…"), () => undefined)}
            >
              <Copy aria-hidden className="size-3.5" />
            </Button>
          </div>
          {own && (
            <Button size="small" onClick={() => setKeyShown(!isKeyShown)}>
              {t(isKeyShown ? "dashboard.empty.hideKey" : "dashboard.empty.showKey")}
            </Button>
          )}
        </Step>
      </ol>
      {onWiden && (
        <Button className="mt-6" onClick={onWiden}>
          {t("dashboard.empty.widen")}
        </Button>
      )}
    </section>
  );
};

const Step = ({ number, title, children }: { number: number; title: string; children: ReactNode }) => (
  <li className="flex gap-3">
    <span
      aria-hidden
      className="grid size-6 shrink-0 place-items-center rounded-full border border-line-strong font-medium text-xs text-ink-2"
    >
      {number}
    </span>
    <div className="flex min-w-0 flex-1 flex-col gap-2.5">
      <span className="font-medium ">{title}</span>
      <div className="flex min-w-0 flex-wrap gap-2">{children}</div>
    </div>
  </li>
);
