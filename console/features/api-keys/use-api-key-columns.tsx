import type { KeySummary } from "@tollgate/contract/api/api-keys";
import { AUTO_GROUP } from "@tollgate/contract/values/auto-group";
import {
  TOKEN_DISABLED,
  TOKEN_ENABLED,
  TOKEN_EXHAUSTED,
  TOKEN_EXPIRED,
} from "@tollgate/contract/values/statuses";
import { NEVER } from "@tollgate/contract/values/time";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge";
import type { Column } from "../../components/data-table";
import { groupTone } from "../../components/group-badges";
import { numberColumn, timeColumn } from "../../components/plain-columns";
import { RecordLink } from "../../components/record-link";
import { formatQuota, formatTime } from "../../lib/format";
import type { FilterChoice } from "../../lib/use-list-filter";
import { ApiKeyState } from "./api-key-state";
import { isFormerInUse } from "./former-key";

/** The columns of a list of keys. */
export const useApiKeyColumns = (): Column<KeySummary>[] => {
  const { t } = useTranslation();
  return [
    {
      id: "name",
      label: t("field.name"),
      cell: (key) => (
        <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
          <RecordLink kind="token" id={key.id}>
            {key.name || <span className="text-ink-3">{t("value.none")}</span>}
          </RecordLink>
          {isFormerInUse(key) && (
            <Badge tone="yellow">
              {t("token.rotate.badge", { time: formatTime(key.formerUntil ?? 0).slice(5, 16) })}
            </Badge>
          )}
          <KeyGroup group={key.group} />
        </span>
      ),
      sortBy: (token) => token.name,
      card: "head",
      className: "min-w-28 max-w-64 break-words font-medium",
    },
    {
      id: "status",
      label: t("field.status"),
      cell: (token) => <ApiKeyState status={token.status} />,
      sortBy: (token) => token.status,
      card: "side",
    },
    numberColumn("used_quota", t("field.usedQuota"), (token) => token.usedQuota, formatQuota),
    {
      id: "remain_quota",
      label: t("field.remainQuota"),
      cell: (token) => (token.unlimitedQuota ? t("value.unlimited") : formatQuota(token.remainQuota)),
      sortBy: (token) => (token.unlimitedQuota ? Number.POSITIVE_INFINITY : token.remainQuota),
      isNumber: true,
    },
    timeColumn("created_time", t("field.createdTime"), (token) => token.createdTime),
    {
      id: "expired_time",
      label: t("field.expiredTime"),
      cell: (token) => (token.expiredTime === NEVER ? t("value.never") : formatTime(token.expiredTime)),
      sortBy: (token) => (token.expiredTime === NEVER ? Number.POSITIVE_INFINITY : token.expiredTime),
      className: "wide:whitespace-nowrap",
    },
  ];
};

/** The filter of a list of keys by state. */
export const useStateFilter = (): FilterChoice => {
  const { t } = useTranslation();
  return {
    column: "status",
    label: t("field.status"),
    choices: [
      [TOKEN_ENABLED, t("status.enabled")],
      [TOKEN_DISABLED, t("status.disabled")],
      [TOKEN_EXPIRED, t("status.expired")],
      [TOKEN_EXHAUSTED, t("status.exhausted")],
    ],
  };
};

/** A key's own group; empty if it uses its owner's. */
const KeyGroup = ({ group = "" }: { group: string | undefined }) => {
  const { t } = useTranslation();
  if (group === "") return null;
  return <Badge tone={groupTone(group)}>{group === AUTO_GROUP ? t("keyGroup.auto") : group}</Badge>;
};
