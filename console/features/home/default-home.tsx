import { Link } from "@tanstack/react-router";
import type { Status } from "@tollgate/contract/api/status";
import { SIGN_IN_METHODS } from "@tollgate/contract/sign-in/methods";
import { ArrowRight, Check, Copy, Minus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../../components/button";
import { writeClipboard } from "../../lib/copy";
import { formatTime } from "../../lib/format";
import { notify } from "../../lib/notify";
import { useOwnExample } from "../../lib/offered-models";
import { useSession } from "../../lib/session";
import { serverAddress, systemName, useStatus } from "../../lib/status";

const curlExample = (address: string, model: string): string =>
  [
    `curl ${address}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer sk-..." \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"model": "${model}",`,
    `       "messages": [{"role": "user", "content": "Hello"}]}'`,
  ].join("\n");

/** The home page of a site that has set none: what this is, how to begin, and how the server is set up. */
export const DefaultHome = () => {
  const { t } = useTranslation();
  const { user } = useSession();
  const status = useStatus();
  const address = serverAddress(status);
  const own = useOwnExample();
  return (
    <div className="mx-auto grid max-w-[1120px] gap-x-12 gap-y-10 py-4 wide:py-10 lg:grid-cols-[1fr_1.1fr]">
      <section className="flex flex-col items-start justify-center">
        <h1 className="break-keep font-semibold text-[30px] leading-tight tracking-[-0.015em] wide:text-[38px]">
          {t("home.headline")}
        </h1>
        <p className="mt-4 max-w-[46ch] text-pretty text-[15.5px] text-ink-2 leading-relaxed">
          {t("home.lead", { name: systemName() })}
        </p>
        <div className="mt-6 flex flex-wrap gap-2.5">
          {user ? (
            <Link to="/token" className={buttonVariants({ variant: "primary", className: "h-10 px-4" })}>
              {t("home.toTokens")}
              <ArrowRight aria-hidden className="size-4" />
            </Link>
          ) : (
            <>
              <Link to="/login" className={buttonVariants({ variant: "primary", className: "h-10 px-4" })}>
                {t("home.toLogin")}
                <ArrowRight aria-hidden className="size-4" />
              </Link>
              <Link to="/register" className={buttonVariants({ variant: "plain", className: "h-10 px-4" })}>
                {t("home.toRegister")}
              </Link>
            </>
          )}
        </div>
        {status && <Facts status={status} />}
      </section>
      <section
        aria-labelledby="first-steps"
        className="rounded-lg border border-line bg-surface p-5 wide:p-7"
      >
        <h2 id="first-steps" className="font-semibold text-[15px]">
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
            <Code label={t("home.example")} text={curlExample(address, own?.model ?? t("home.someModel"))} />
          </Step>
        </ol>
      </section>
    </div>
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
      className="grid size-7 place-items-center rounded-full border border-line-strong font-medium text-[13px] text-ink-2 tabular-nums"
    >
      {number}
    </span>
    <div className="min-w-0 pt-0.5">
      <h3 className="font-medium">{title}</h3>
      <div className="mt-0.5 text-[13.5px] text-ink-2">{children}</div>
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
    <div className="relative mt-2.5">
      <pre className="whitespace-pre-wrap break-words rounded-md bg-sunken py-2.5 ps-3.5 pe-11 font-mono text-[12.5px] text-ink leading-relaxed">
        {text}
      </pre>
      <Button
        variant="quiet"
        size="small"
        className="absolute end-1.5 top-1.5 bg-sunken px-1.5"
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

const Facts = ({ status }: { status: Status }) => {
  const { t } = useTranslation();
  const switches: [string, boolean][] = [
    [t("home.emailVerification"), status.email_verification],
    ...SIGN_IN_METHODS.map(({ name, title, switch: { status: field } }): [string, boolean] => [
      t("home.methodLogin", { context: name, method: title }),
      status[field],
    ]),
    [t("home.humanCheck"), status.turnstile_check],
  ];
  return (
    <section
      aria-label={t("home.facts")}
      className="mt-10 w-full max-w-[480px] border-line border-t pt-5 text-[13.5px]"
    >
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3">
        <div>
          <dt className="text-[12.5px] text-ink-3">{t("home.version")}</dt>
          <dd className="tabular-nums">{status.version}</dd>
        </div>
        <div>
          <dt className="text-[12.5px] text-ink-3">{t("home.startTime")}</dt>
          <dd className="tabular-nums">{formatTime(status.start_time) || t("value.none")}</dd>
        </div>
        {switches.map(([label, isOn]) => (
          <div key={label}>
            <dt className="text-[12.5px] text-ink-3">{label}</dt>
            <dd className="flex items-center gap-1.5">
              {isOn ? (
                <Check aria-hidden className="size-3.5 text-green" />
              ) : (
                <Minus aria-hidden className="size-3.5 text-ink-3" />
              )}
              {isOn ? t("value.on") : t("value.off")}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};
