import { Link } from "@tanstack/react-router";
import type { ReadLedgerEntry } from "@tollgate/contract/api/ledger";
import { clsx } from "clsx";
import { useTranslation } from "react-i18next";
import { RecordLink } from "../../components/record-link";
import { signedQuota } from "../../lib/exact-quota";
import { formatOrderNumber } from "../../lib/format";
import { useSession } from "../../lib/session";
import { useLedgerTexts } from "../../lib/use-ledger-texts";

const LINK = "underline-offset-2 hover:text-accent hover:underline";

/** The credited or debited amount. */
export const EntryAmount = ({ amount }: { amount: number }) => (
  <span
    title={amount.toLocaleString("en-US")}
    className={clsx("font-medium", amount > 0 ? "text-green" : "text-ink")}
  >
    {signedQuota(amount, "point")}
  </span>
);

/** The entry's related record, with a link if the user may see its page. */
const Reference = ({ entry }: { entry: ReadLedgerEntry }) => {
  const { isAdmin } = useSession("balances");
  const { reference, cause } = entry;
  if (reference === "") return null;
  if (entry.orderNumber !== "")
    return (
      <RecordLink kind="order" id={entry.orderNumber} title={entry.orderNumber} className="font-mono">
        {formatOrderNumber(entry.orderNumber)}
      </RecordLink>
    );
  if (entry.requestId !== "")
    return (
      <Link to="/log/receipt/$requestId" params={{ requestId: entry.requestId }} className={LINK}>
        <span className="break-all font-mono">{entry.requestId}</span>
      </Link>
    );
  const [id = ""] = reference.split("/");
  if (isAdmin && cause === "redeemed")
    return (
      <Link to="/redemption/edit/$id" params={{ id }} className={LINK}>
        #{id}
      </Link>
    );
  if (isAdmin && cause === "inviter-gift")
    return (
      <RecordLink kind="user" id={id}>
        #{id}
      </RecordLink>
    );
  return <span className="break-all">#{reference}</span>;
};

/** The cause of an entry, its related record, and the stated reason. */
export const EntryCause = ({ entry }: { entry: ReadLedgerEntry }) => {
  const { causeText, planFaultText } = useLedgerTexts();
  return (
    <span className="flex min-w-0 flex-col gap-0.5 wide:flex-row wide:items-baseline wide:gap-x-2">
      <span className="flex flex-wrap items-baseline gap-x-2 wide:flex-nowrap wide:whitespace-nowrap">
        <span className="font-medium">{causeText(entry.cause)}</span>
        <span className="text-sm text-ink-3 tabular-nums">
          <Reference entry={entry} />
        </span>
      </span>
      {entry.planFault !== "" && <Note text={planFaultText(entry.planFault)} />}
      {entry.reason !== "" && <Note text={entry.reason} />}
    </span>
  );
};

const Note = ({ text }: { text: string }) => (
  <span className="min-w-0 text-sm text-ink-2 max-wide:break-words wide:truncate" title={text}>
    {text}
  </span>
);

/** The account of an entry: the user's, or a key. */
export const EntryAccount = ({ entry }: { entry: ReadLedgerEntry }) => {
  const { accountText } = useLedgerTexts();
  if (entry.keyId === 0) return accountText(entry.account);
  return (
    <span className="break-words">
      {accountText(entry.account)}{" "}
      <span className="text-ink-3">
        {entry.keyName === "" ? (
          `#${entry.keyId}`
        ) : (
          <RecordLink kind="token" id={entry.keyId}>
            {entry.keyName}
          </RecordLink>
        )}
      </span>
    </span>
  );
};

/** The user whose money it is. */
export const EntryUser = ({ entry }: { entry: ReadLedgerEntry }) =>
  entry.username === "" ? (
    <span className="text-ink-3">#{entry.userId}</span>
  ) : (
    <RecordLink kind="user" id={entry.userId}>
      {entry.username}
    </RecordLink>
  );

/** The actor. */
export const EntryActor = ({ entry }: { entry: ReadLedgerEntry }) => {
  const { t } = useTranslation();
  if (entry.actorId === 0) return <span className="text-ink-3">{t("ledger.gateway")}</span>;
  return entry.actorName === "" ? <span className="text-ink-3">#{entry.actorId}</span> : entry.actorName;
};
