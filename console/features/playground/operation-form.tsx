import { Square } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Panel } from "../../components/page-frame";
import type { ShownRequest } from "../../lib/request-snippets";
import { AnswerFacts } from "./answer-facts";
import { CodeButton } from "./code-button";
import { FailureNote } from "./failure-note";
import { ModelField } from "./model-field";
import type { OperationOutcome } from "./use-operation";

interface OperationFormProps<Result> {
  model: string;
  models: readonly string[];
  onModel: (model: string) => void;
  /** Label of the button that sends. */
  action: string;
  isReady: boolean;
  isRunning: boolean;
  requestOf: () => ShownRequest;
  outcome: OperationOutcome<Result> | undefined;
  onRun: () => void;
  onStop: () => void;
  /** The fields of the request. */
  children: ReactNode;
  show: (result: Result) => ReactNode;
}

/** A request other than a chat: its fields, its result and what it cost. */
export const OperationForm = <Result,>({
  model,
  models,
  onModel,
  action,
  isReady,
  isRunning,
  requestOf,
  outcome,
  onRun,
  onStop,
  children,
  show,
}: OperationFormProps<Result>) => {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-4">
      <Panel>
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady && !isRunning) onRun();
          }}
        >
          <ModelField label={t("playground.model")} value={model} models={models} onChange={onModel} />
          {children}
          <div className="flex flex-wrap gap-2">
            {isRunning ? (
              <Button variant="danger" onClick={onStop}>
                <Square aria-hidden className="size-3.5" />
                {t("playground.stop")}
              </Button>
            ) : (
              <Button type="submit" variant="primary" disabled={!isReady || model.trim() === ""}>
                {action}
              </Button>
            )}
            <CodeButton requestOf={requestOf} />
          </div>
        </form>
      </Panel>
      {isRunning && (
        <div role="status" aria-label={t("playground.waiting")} className="skeleton h-32 rounded-lg" />
      )}
      {!isRunning && outcome && (
        <Panel>
          <div className="flex flex-col gap-3">
            {outcome.failure && <FailureNote failure={outcome.failure} onRetry={onRun} />}
            {outcome.isStopped && <p className="text-ink-2 text-sm">{t("playground.stopped")}</p>}
            {outcome.result !== undefined && show(outcome.result)}
            <AnswerFacts requestId={outcome.requestId} raw={outcome.raw} />
          </div>
        </Panel>
      )}
    </div>
  );
};
