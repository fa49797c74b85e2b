import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Log, listOwnLogs } from "@tollgate/contract/api/logs";
import { LOG_CONSUME, LOG_ERROR } from "@tollgate/contract/values/statuses";
import { CircleAlert, CircleCheck, LoaderCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { endpointQuery } from "../../../lib/endpoint-query";
import { formatQuota } from "../../../lib/format";

/** Interval of polling the log for the first request. */
const EVERY_MS = 2000;

interface FirstAnswerProps {
  keyName: string;
  /** Unix seconds: earlier requests do not count. */
  since: number;
}

/** Waits for the first request with a key and links to its receipt; until then shows a failed one with its reason. */
export const FirstAnswer = ({ keyName, since }: FirstAnswerProps) => {
  const { t } = useTranslation();
  const { data: lines = [] } = useQuery({
    ...endpointQuery(listOwnLogs, { query: { p: 0, token_name: keyName, start_timestamp: since } }),
    meta: { silent: true },
    refetchInterval: ({ state }) => (answerIn(state.data) ? false : EVERY_MS),
  });
  const answer = answerIn(lines);
  const failure = answer ? undefined : lines.find(({ type }) => type === LOG_ERROR);
  return (
    <div
      role="status"
      className="flex items-start gap-2.5 rounded-md border border-line bg-sunken px-3 py-2.5 text-sm"
    >
      {answer ? (
        <>
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-green" />
          <span>
            <strong className="font-semibold">{t("quickStart.answered")}</strong>{" "}
            {t("quickStart.answeredText", {
              model: answer.modelName,
              prompt: answer.promptTokens,
              completion: answer.completionTokens,
              cost: formatQuota(answer.quota, 6),
            })}{" "}
            <Receipt line={answer} />
          </span>
        </>
      ) : failure ? (
        <>
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-red" />
          <span className="break-words">
            <strong className="font-semibold">{t("quickStart.refused")}</strong> {failure.content}{" "}
            <Receipt line={failure} />
          </span>
        </>
      ) : (
        <>
          <LoaderCircle
            aria-hidden
            className="mt-0.5 size-4 shrink-0 animate-[spin_0.9s_linear_infinite] text-accent"
          />
          {t("quickStart.waiting")}
        </>
      )}
    </div>
  );
};

const answerIn = (lines: readonly Log[] | undefined): Log | undefined =>
  lines?.findLast(({ type }) => type === LOG_CONSUME);

const Receipt = ({ line: { requestId } }: { line: Log }) => {
  const { t } = useTranslation();
  return (
    requestId !== "" && (
      <Link
        to="/log/receipt/$requestId"
        params={{ requestId }}
        className="text-accent underline-offset-2 hover:underline"
      >
        {t("quickStart.receipt")}
      </Link>
    )
  );
};
