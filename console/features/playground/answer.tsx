import { ChevronRight } from "lucide-react";
import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { CodePiece, CopyButton } from "../../components/code-piece";
import { TextAreaField } from "../../components/text-field";
import { AnswerFacts } from "./answer-facts";
import { AnswerText } from "./answer-text";
import type { Step } from "./conversation";
import { FailureNote } from "./failure-note";
import type { Raw } from "./run-answer";

interface AnswerProps {
  step: Step;
  isRunning: boolean;
  /** Whether it can be asked for again, and its calls answered: it is the last one of its column. */
  isLast: boolean;
  rawOf: () => Raw | undefined;
  onRetry: () => void;
  onResults: (results: readonly string[]) => void;
}

/** Ends of an answer that need no word. */
const USUAL_ENDS: ReadonlySet<string> = new Set(["stop", "tool_calls"]);

/** One answer of a model. */
export const Answer = memo(
  ({ step, isRunning, isLast, rawOf, onRetry, onResults }: AnswerProps) => {
    const { t } = useTranslation();
    const { model, text, toolCalls, failure, isStopped, requestId } = step;
    return (
      <article
        aria-label={model}
        aria-busy={isRunning}
        className="flex min-w-0 flex-col gap-2 rounded-lg border border-line bg-surface px-4 py-3"
      >
        <header className="flex min-w-0 items-center justify-between gap-2">
          <span className="truncate font-medium text-sm" title={model}>
            {model}
          </span>
          {text !== "" && !isRunning && <CopyButton label={model} text={text} />}
        </header>
        <Content step={step} isRunning={isRunning} />
        {!isRunning && toolCalls.length > 0 && (
          <Calls step={step} isOpen={isLast && !failure && !isStopped} onResults={onResults} />
        )}
        <Notes step={step} />
        {failure && <FailureNote failure={failure} onRetry={isLast ? onRetry : undefined} />}
        {!isRunning && (
          <AnswerFacts requestId={requestId} raw={rawOf()}>
            {isLast && isStopped && (
              <Button variant="quiet" size="small" onClick={onRetry}>
                {t("playground.retry")}
              </Button>
            )}
          </AnswerFacts>
        )}
      </article>
    );
  },
  // The functions change with each drawing of the page, and do the same.
  (before, now) =>
    before.step === now.step && before.isRunning === now.isRunning && before.isLast === now.isLast,
);

/** What the model has sent so far. */
const Content = ({ step, isRunning }: Pick<AnswerProps, "step" | "isRunning">) => {
  const { t } = useTranslation();
  const { text, reasoning, toolCalls, failure, isStopped } = step;
  const isBare = text === "" && toolCalls.length === 0;
  return (
    <>
      {reasoning !== "" && <Reasoning text={reasoning} />}
      {isRunning && isBare && reasoning === "" && (
        <div role="status" aria-label={t("playground.waiting")} className="skeleton h-5 w-2/3" />
      )}
      {text !== "" && <AnswerText text={text} isLive={isRunning} />}
      {!isRunning && isBare && !failure && !isStopped && (
        <p className="text-ink-2 text-sm">{t("playground.noText")}</p>
      )}
    </>
  );
};

const Reasoning = ({ text }: { text: string }) => {
  const { t } = useTranslation();
  return (
    <details className="group">
      <summary className="touch flex cursor-pointer list-none items-center gap-1.5 rounded-sm text-ink-2 text-sm">
        <ChevronRight
          aria-hidden
          className="size-4 text-ink-3 transition-transform group-open:rotate-90 motion-reduce:transition-none"
        />
        {t("playground.reasoning")}
      </summary>
      <p className="wrap-anywhere mt-1 whitespace-pre-wrap text-ink-2 text-sm">{text}</p>
    </details>
  );
};

/** How the answer ended, where that is not the usual end. */
const Notes = ({ step: { isCut, isStopped, finish } }: { step: Step }) => {
  const { t } = useTranslation();
  return (
    <>
      {isCut && <p className="text-ink-2 text-sm">{t("playground.cut")}</p>}
      {isStopped && <p className="text-ink-2 text-sm">{t("playground.stopped")}</p>}
      {finish !== undefined && !USUAL_ENDS.has(finish) && (
        <p className="wrap-anywhere text-ink-2 text-sm">{t("playground.ended", { reason: finish })}</p>
      )}
    </>
  );
};

interface CallsProps {
  step: Step;
  isOpen: boolean;
  onResults: (results: readonly string[]) => void;
}

/** The calls of tools, and the results that the user types in place of a program. */
const Calls = ({ step: { toolCalls, results }, isOpen, onResults }: CallsProps) => {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<readonly string[]>(() => toolCalls.map(() => ""));
  const isAnswered = results !== undefined;
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onResults(typed);
      }}
    >
      {toolCalls.map(({ id, name, arguments: sent }, index) => (
        <div key={id || index} className="flex flex-col gap-2">
          <CodePiece label={t("playground.call", { name })} text={sent} />
          {isAnswered ? (
            <CodePiece label={t("playground.result", { name })} text={results[index] ?? ""} />
          ) : (
            isOpen && (
              <TextAreaField
                label={t("playground.result", { name })}
                rows={2}
                className="min-h-16 font-mono text-sm"
                value={typed[index] ?? ""}
                onChange={({ target }) => setTyped(typed.with(index, target.value))}
              />
            )
          )}
        </div>
      ))}
      {isOpen && !isAnswered && (
        <Button type="submit" variant="primary" size="small" className="self-start">
          {t("playground.sendResults")}
        </Button>
      )}
    </form>
  );
};
