import { Link } from "@tanstack/react-router";
import type { AuditEntry } from "@tollgate/contract/api/audit";
import { useTranslation } from "react-i18next";
import { RecordLink } from "../../components/record-link";
import { formatOrderNumber, formatTime } from "../../lib/format";
import { useAuditTexts } from "./use-audit-texts";

const LINK = "underline-offset-2 hover:text-accent hover:underline";

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
    <span className="flex flex-col">
      <span className="font-medium">{actionText(entry.action)}</span>
      {entry.target !== "" && !isNamed && (
        <span className="break-all text-sm text-ink-3">
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
    <span className="flex flex-col">
      <RecordLink kind="user" id={entry.userId} className="break-words">
        {entry.username}
      </RecordLink>
      <span className="break-all text-sm text-ink-3 tabular-nums">{entry.address}</span>
    </span>
  );
};

/** The affected user, with the name at that time. */
export const BeneficiaryCell = ({ entry }: { entry: AuditEntry }) => {
  if (entry.beneficiaryId === 0) return null;
  const name = entry.beneficiary === "" ? `#${entry.beneficiaryId}` : entry.beneficiary;
  if (entry.action === "user.delete") return name;
  return (
    <RecordLink kind="user" id={entry.beneficiaryId}>
      {name}
    </RecordLink>
  );
};
