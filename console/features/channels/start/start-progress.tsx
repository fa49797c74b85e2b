import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { CircleAlert, CircleCheck, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/button";
import { failureText } from "../../../lib/failure-text";
import { NoModelsError, START_STEPS, type StartRun, type StartStep } from "./use-start-run";

const LINK = "text-accent underline-offset-2 hover:underline";

interface StartProgressProps {
  run: StartRun;
  /** Continues with the vendor's usual models; undefined without any. */
  onUsual: (() => void) | undefined;
}

/** The finished steps, the running one, and the failed one. */
export const StartProgress = ({ run, onUsual }: StartProgressProps) => {
  const { failure, step } = run;
  const reached = failure?.step ?? step ?? (run.token ? START_STEPS.at(-1) : undefined);
  if (reached === undefined) return null;
  const shown = START_STEPS.slice(0, START_STEPS.indexOf(reached) + 1);
  return (
    <ol aria-live="polite" className="flex flex-col gap-2 border-line border-t pt-4 text-sm">
      {shown.map((each) => (
        <li key={each} className="flex gap-2.5">
          <StepMark isFailed={failure?.step === each} isBusy={step === each} />
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            {failure?.step === each ? (
              <StepFailure run={run} step={each} error={failure.error} onUsual={onUsual} />
            ) : (
              <StepText run={run} step={each} />
            )}
          </div>
        </li>
      ))}
    </ol>
  );
};

const StepMark = ({ isFailed, isBusy }: { isFailed: boolean; isBusy: boolean }) => {
  const Icon = isFailed ? CircleAlert : isBusy ? LoaderCircle : CircleCheck;
  return (
    <Icon
      aria-hidden
      className={clsx(
        "mt-0.5 size-4 shrink-0",
        isFailed ? "text-red" : isBusy ? "animate-[spin_0.9s_linear_infinite] text-accent" : "text-green",
      )}
    />
  );
};

/** The result of a step, or its description. */
const StepText = ({ run, step }: { run: StartRun; step: StartStep }): ReactNode => {
  const { t } = useTranslation();
  const { models = [], unpriced = [], passed, token, channelId } = run;
  if (run.step === step) return t(`quickStart.doing.${step}`);
  switch (step) {
    case "models":
      return (
        <details>
          <summary className="cursor-default">
            {t("quickStart.done.models", { count: models.length })}
          </summary>
          <p className="mt-1 break-words text-ink-2">{models.join(", ")}</p>
        </details>
      );
    case "channel":
      return (
        <span>
          {t("quickStart.done.channel")}{" "}
          <Link to="/channel/edit/$id" params={{ id: String(channelId) }} className={LINK}>
            #{channelId}
          </Link>
        </span>
      );
    case "prices":
      return (
        <>
          <span>
            {t("quickStart.done.prices", { count: models.length - unpriced.length, total: models.length })}
          </span>
          {unpriced.length > 0 && (
            <span className="text-ink-2">
              {t("quickStart.unpriced", { names: unpriced.slice(0, 5).join(", ") })}{" "}
              <Link to="/setting/prices" search={{ tab: "missing" }} className={LINK}>
                {t("quickStart.toPrices")}
              </Link>
            </span>
          )}
        </>
      );
    case "test":
      return t("quickStart.done.test", { model: passed?.model, seconds: passed?.seconds.toFixed(2) });
    case "key":
      return t("quickStart.done.key", { name: token?.name });
  }
};

interface StepFailureProps {
  run: StartRun;
  step: StartStep;
  error: Error;
  onUsual: (() => void) | undefined;
}

/** The reason of the failure and the next step. */
const StepFailure = ({ run, step, error, onUsual }: StepFailureProps) => {
  const { t } = useTranslation();
  return (
    <>
      <span className="font-medium">{t(`quickStart.failed.${step}`)}</span>
      <span className="break-words text-red">
        {error instanceof NoModelsError ? t("quickStart.noModels") : failureText(error)}
      </span>
      {step === "models" && onUsual && (
        <Button size="small" className="self-start" onClick={onUsual}>
          {t("quickStart.takeUsual")}
        </Button>
      )}
      {step === "test" && (
        <span className="text-ink-2">
          {t("quickStart.testAdvice")}{" "}
          <Link to="/channel/edit/$id" params={{ id: String(run.channelId) }} className={LINK}>
            {t("quickStart.toChannel")}
          </Link>
        </span>
      )}
    </>
  );
};
