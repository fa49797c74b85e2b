import { useQuery } from "@tanstack/react-query";
import type { BodyMessageWire } from "@tollgate/contract/api/bodies";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { copyOrShow } from "../../lib/copy";
import { failureText } from "../../lib/failure-text";
import { useSession } from "../../lib/session";
import { FoldedPart } from "./folded-part";
import { MAX_SHOWN, readableText } from "./readable-text";
import { bodyQuery } from "./receipt-queries";

/** Lines of a message before it scrolls. */
const MAX_ROWS = 20;

/** The content of a request and its answer, collapsed: it is loaded when the user opens it. */
export const FoldedBody = ({ requestId }: { requestId: string }) => {
  const { t } = useTranslation();
  return <FoldedPart title={t("receipt.bodyShow")}>{() => <Body requestId={requestId} />}</FoldedPart>;
};

const Body = ({ requestId }: { requestId: string }) => {
  const { t } = useTranslation();
  const { isAdmin, isRoot } = useSession();
  const { data, error, refetch } = useQuery(bodyQuery(requestId, isRoot));
  if (error) {
    return (
      <div role="alert" className="mt-4 flex flex-wrap items-center gap-3">
        <p className="min-w-0 break-words text-ink-2">{failureText(error)}</p>
        <Button size="small" onClick={() => void refetch()}>
          {t("action.retry")}
        </Button>
      </div>
    );
  }
  if (!data) {
    return (
      <div role="status" aria-label={t("page.loading")} className="mt-4 flex flex-col gap-4">
        <div className="skeleton h-32 rounded-md" />
        <div className="skeleton h-32 rounded-md" />
      </div>
    );
  }
  const { body } = data;
  if (!body) {
    const isOthers = isAdmin && !isRoot;
    return <p className="mt-4 text-ink-2">{t(isOthers ? "receipt.bodyNotYours" : "receipt.bodyNone")}</p>;
  }
  const { status } = body.answer;
  return (
    <div className="mt-4 flex flex-col gap-6">
      <Message title={t("receipt.bodyRequest")} message={body.request} />
      <Message
        title={t("receipt.bodyAnswer")}
        note={status > 0 ? t("receipt.bodyStatus", { status }) : undefined}
        message={body.answer}
      />
    </div>
  );
};

interface MessageProps {
  title: string;
  note?: string | undefined;
  message: BodyMessageWire;
}

/** One side's content, as plain text only. */
const Message = ({ title, note, message }: MessageProps) => {
  const { t } = useTranslation();
  const titleId = useId();
  const { content_type: type, size_bytes: sizeBytes, text, is_cut: isCut } = message;
  const readable = readableText(type, text ?? "");
  const shown = readable.slice(0, MAX_SHOWN);
  const facts = [note, type, t("receipt.bodySize", { size: sizeBytes.toLocaleString("en-US") })];
  return (
    <section aria-labelledby={titleId} className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 id={titleId} className="font-medium">
          {title}
        </h3>
        <p className="min-w-0 break-words text-sm text-ink-2">{facts.filter(Boolean).join(" · ")}</p>
        {readable !== "" && (
          <Button
            variant="quiet"
            size="small"
            className="ms-auto"
            aria-describedby={titleId}
            onClick={() => void copyOrShow(readable, () => undefined)}
          >
            {t("action.copy")}
          </Button>
        )}
      </div>
      {text === undefined && sizeBytes > 0 ? (
        <p className="mt-2 text-ink-2">{t("receipt.bodyBinary", { type: type || "?" })}</p>
      ) : readable === "" ? (
        <p className="mt-2 text-ink-2">{t("receipt.bodyEmpty")}</p>
      ) : (
        // A text field can be focused, scrolled by keyboard, and selected as a whole.
        <textarea
          readOnly
          aria-labelledby={titleId}
          spellCheck={false}
          rows={Math.min(MAX_ROWS, Math.max(shown.split("\n").length, Math.ceil(shown.length / 90)) + 1)}
          value={shown}
          className="mt-2 block w-full resize-y rounded-md border border-line bg-sunken p-3 font-mono text-sm"
        />
      )}
      {readable.length > MAX_SHOWN && <p className="mt-1 text-sm text-ink-2">{t("receipt.bodyLong")}</p>}
      {isCut && <p className="mt-1 text-sm text-ink-2">{t("receipt.bodyCut")}</p>}
    </section>
  );
};
