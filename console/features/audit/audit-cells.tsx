import { Link } from "@tanstack/react-router";
import type { AuditEntry } from "@tollgate/contract/api/audit";
import { useTranslation } from "react-i18next";
import { RecordLink } from "../../components/record-link";
import { formatOrderNumber, formatTime } from "../../lib/format";
import { useAuditTexts } from "./use-audit-texts";

const LINK = "underline-offset-2 hover:text-accent hover:underline";

/** Two texts of a cell: on one line in a table, below each other on a narrow screen's card. */
const ONE_LINE = "flex min-w-0 flex-col wide:flex-row wide:items-baseline wide:gap-x-2";
const SECOND = "min-w-0 text-sm text-ink-3 tabular-nums max-wide:break-all wide:truncate";

/** The target of an action, with a link to its page if it has one. */
const Target = ({ entry }: { entry: AuditEntry }) => {
  const { action, target } = entry;
  const isNumber = /^[1-9][0-9]*$/.test(target);
  if (action.startsWith("channel.") && isNumber)
    return (
      <RecordLink kind="channel" id={target}>
        #{target}
      </RecordLink>
    );
  if (action.startsWith("token.") && action !== "token.delete")
    return (
      <RecordLink kind="token" id={target}>
        #{target}
      </RecordLink>
    );
  if (action.startsWith("redemption.") && isNumber)
    return (
      <Link to="/redemption/edit/$id" params={{ id: target }} className={LINK}>
        #{target}
      </Link>
    );
  if (action.startsWith("order."))
    return (
      <RecordLink kind="order" id={target} title={target} className="font-mono">
        {formatOrderNumber(target)}
      </RecordLink>
    );
  if (action === "body.read")
    return (
      <Link to="/log/receipt/$requestId" params={{ requestId: target }} className={LINK}>
        {target}
      </Link>
    );
  if (action === "log.clear" && isNumber) return formatTime(Number(target));
  return isNumber ? `#${target}` : target;
};

/** The action and its target. */
export const ActionCell = ({ entry }: { entry: AuditEntry }) => {
  const { actionText } = useAuditTexts();
  // For a user, the name is shown beside it.
  const isNamed = entry.action.startsWith("user.") && entry.beneficiaryId !== 0;
  return (
    <span className={ONE_LINE}>
      <span className="font-medium wide:whitespace-nowrap">{actionText(entry.action)}</span>
      {entry.target !== "" && !isNamed && (
        <span className={SECOND} title={entry.target}>
          <Target entry={entry} />
        </span>
      )}
    </span>
  );
};

/** The actor and the client address. */
export const ActorCell = ({ entry }: { entry: AuditEntry }) => {
  const { t } = useTranslation();
  if (entry.userId === 0) return <span className="text-ink-3">{t("audit.gateway")}</span>;
  return (
    <span className={ONE_LINE}>
      <RecordLink kind="user" id={entry.userId} className="break-words">
        {entry.username}
      </RecordLink>
      <span className={SECOND} title={entry.address}>
        {entry.address}
      </span>
    </span>
  );
};

/** The affected user, with the name at that time. */
export const BeneficiaryCell = ({ entry }: { entry: AuditEntry }) => {
  const name = entry.beneficiary === "" ? `#${entry.beneficiaryId}` : entry.beneficiary;
  if (entry.action === "user.delete") return name;
  return (
    <RecordLink kind="user" id={entry.beneficiaryId}>
      {name}
    </RecordLink>
  );
};
