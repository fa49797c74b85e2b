import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Receipt } from "@tollgate/contract/api/receipts";
import { findChanges, writePath, writeValue } from "@tollgate/contract/values/field-changes";
import { clsx } from "clsx";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { FailedState } from "../../components/failed-state";
import { TextField } from "../../components/text-field";
import { formatQuota, formatTime } from "../../lib/format";
import { useSession } from "../../lib/session";
import { useAddress } from "../../lib/use-address";
import { type FieldRow, FieldTable } from "./field-table";
import { FoldedPart } from "./folded-part";
import { endOf } from "./outcomes";
import { compareReceipts } from "./receipt-differences";
import { bodyQuery, receiptQuery, similarQuery } from "./receipt-queries";
import { wholeRequestOf } from "./whole-request";

const readOther = (search: Record<string, unknown>): { with?: string | undefined } => {
  const other = typeof search.with === "number" ? String(search.with) : search.with;
  return typeof other === "string" && other !== "" ? { with: other } : {};
};

/** This receipt beside another one, which the address names. */
const CompareReceipts = ({ receipt }: { receipt: Receipt }) => {
  const { t } = useTranslation();
  const [{ with: other }, change] = useAddress(readOther);
  if (other === undefined) return <Choice receipt={receipt} onChoose={(id) => change({ with: id })} />;
  return (
    <div className="flex flex-col gap-3">
      <Button size="small" className="self-start" onClick={() => change({ with: undefined })}>
        {t("why.otherReceipt")}
      </Button>
      <Beside receipt={receipt} otherId={other} />
    </div>
  );
};

export default CompareReceipts;

interface ChoiceProps {
  receipt: Receipt;
  onChoose: (requestId: string) => void;
}

/** Recent requests for the same model, or any by its id. */
const Choice = ({ receipt, onChoose }: ChoiceProps) => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("logs");
  const [text, setText] = useState("");
  const { data = [] } = useQuery(similarQuery(receipt, isAdmin));
  return (
    <div className="flex flex-col gap-4">
      {data.length > 0 && (
        <ul aria-label={t("why.recent")} className="flex flex-col text-sm">
          {data.map(({ requestId, createdAt, tokenName, quota }) => (
            <li key={requestId} className="border-line border-b last:border-b-0">
              <Link
                to="."
                search={{ with: requestId } as never}
                resetScroll={false}
                className="flex flex-wrap gap-x-4 gap-y-0.5 py-2 hover:text-accent"
              >
                <span className="tabular-nums">{formatTime(createdAt)}</span>
                <span className="min-w-0 break-all">{tokenName || "–"}</span>
                <span className="text-ink-2 tabular-nums">{formatQuota(quota, 6)}</span>
                <span className="min-w-0 break-all font-mono text-ink-2 text-xs leading-5">{requestId}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <form
        className="flex w-full max-w-sm items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "") onChoose(text.trim());
        }}
      >
        <div className="min-w-0 flex-1">
          <TextField
            label={t("why.otherId")}
            value={text}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <Button type="submit">{t("why.compareOpen")}</Button>
      </form>
    </div>
  );
};

const Beside = ({ receipt, otherId }: { receipt: Receipt; otherId: string }) => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("logs");
  const { data, error, refetch } = useQuery(receiptQuery(otherId, isAdmin));
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />;
  if (!data) return <div role="status" aria-label={t("page.loading")} className="skeleton h-64 rounded-md" />;
  const { receipt: other } = data;
  if (!other) return <p className="text-ink-2">{t("receipt.missing")}</p>;
  const lines = compareReceipts(receipt, other, {
    kindOf: (isStream) => t(isStream ? "receipt.stream" : "receipt.whole"),
    endOf: (end) => {
      const known = endOf(end);
      return known ? t(`receipt.end.${known}`) : end;
    },
  });
  const title = t("why.sideBySide");
  return (
    <>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls only a region that has the focus
        tabIndex={0}
        aria-label={title}
        className="overflow-x-auto"
      >
        <table className="w-full border-collapse text-sm tabular-nums">
          <thead>
            <tr className="border-line border-b text-xs text-ink-2">
              <td />
              <th scope="col" className="h-8 px-2 text-start font-medium">
                {t("why.thisOne")}
              </th>
              <th scope="col" className="px-2 text-start font-medium">
                <Link
                  to="/log/receipt/$requestId"
                  params={{ requestId: other.request_id }}
                  className="break-all font-mono underline-offset-2 hover:underline"
                >
                  {other.request_id}
                </Link>
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ name, values: [left, right], isDifferent }) => (
              <tr
                key={name}
                className={clsx("border-line border-b last:border-b-0", isDifferent && "bg-yellow-soft")}
              >
                <th
                  scope="row"
                  className="whitespace-nowrap py-2 ps-2 pe-2 text-start font-normal text-ink-2"
                >
                  {t(`why.line.${name}`)}
                  {isDifferent && <span className="sr-only"> {t("why.differs")}</span>}
                </th>
                <td className="min-w-32 break-words px-2">{left}</td>
                <td className={clsx("min-w-32 break-words px-2", isDifferent && "font-medium")}>{right}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {receipt.has_body && other.has_body && (
        <FoldedPart title={t("why.fields")}>
          {() => <Fields ids={[receipt.request_id, other.request_id]} />}
        </FoldedPart>
      )}
    </>
  );
};

/** More rows would not be read. */
const MAX_ROWS = 200;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const rowsOf = (one: string, other: string): FieldRow[] | undefined =>
  findChanges(parse(one), parse(other))?.map((change) => ({
    kind: change.kind,
    ...(change.kind === "added"
      ? {}
      : { from: writePath(change.kind === "moved" ? change.from : change.path) }),
    ...(change.kind === "removed" ? {} : { to: writePath(change.path) }),
    ...("before" in change ? { before: writeValue(change.before) } : {}),
    ...("after" in change ? { after: writeValue(change.after) } : {}),
    count: 1,
  }));

/** The stored bodies of two requests, field by field. */
const Fields = ({ ids: [oneId, otherId] }: { ids: readonly [string, string] }) => {
  const { t } = useTranslation();
  const { isRoot } = useSession("logs");
  const one = useQuery(bodyQuery(oneId, isRoot));
  const other = useQuery(bodyQuery(otherId, isRoot));
  const error = one.error ?? other.error;
  if (error)
    return <FailedState error={error} onRetry={() => void Promise.all([one.refetch(), other.refetch()])} />;
  if (!one.data || !other.data)
    return <div role="status" aria-label={t("page.loading")} className="skeleton mt-3 h-24 rounded-md" />;
  const [left, right] = [one.data.body, other.data.body].map((body) => body && wholeRequestOf(body)?.text);
  const rows = left === undefined || right === undefined ? undefined : rowsOf(left, right);
  if (!rows) return <p className="mt-3 text-ink-2">{t("why.notWhole")}</p>;
  if (rows.length === 0) return <p className="mt-3">{t("why.sameFields")}</p>;
  return (
    <div className="mt-3 flex flex-col gap-3">
      <FieldTable
        label={t("why.fields")}
        sides={[t("why.thisOne"), t("why.theOther")]}
        hasBoth
        rows={rows.slice(0, MAX_ROWS)}
      />
      {rows.length > MAX_ROWS && (
        <p className="text-sm text-ink-2">{t("why.more", { count: rows.length - MAX_ROWS })}</p>
      )}
    </div>
  );
};
