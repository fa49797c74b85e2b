import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ApiKey, changeApiKey, type KeySummary } from "@tollgate/contract/api/api-keys";
import { getApiKeyLimits, getApiKeySummaryLimits } from "@tollgate/contract/api/limit-uses";
import { AUTO_GROUP } from "@tollgate/contract/values/auto-group";
import { TOKEN_DISABLED, TOKEN_ENABLED } from "@tollgate/contract/values/statuses";
import { NEVER } from "@tollgate/contract/values/time";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge";
import { Button, buttonVariants } from "../../components/button";
import { type DetailTab, type Fact, RecordPage, SwitchButton } from "../../components/detail-page";
import { GroupBadges, groupTone } from "../../components/group-badges";
import { AccountLimits } from "../../components/limit-uses";
import { RecordLink } from "../../components/record-link";
import { RecordUsage } from "../../components/record-usage";
import { formatQuota, formatTime } from "../../lib/format";
import { useSession } from "../../lib/session";
import { useAddress, useIdInAddress } from "../../lib/use-address";
import { useEndpoint } from "../../lib/use-endpoint";
import { anyApiKeyQuery, type ShownKey } from "./any-api-key-query";
import { ApiKeyState } from "./api-key-state";
import { type ApiKeyWindows, useApiKeyWindows } from "./api-key-windows";
import { isFormerInUse } from "./former-key";

/** The command in the address: the command menu opens the window for a new secret. */
const readRotate = (search: Record<string, unknown>): { rotate?: true } =>
  search.rotate === "true" ? { rotate: true } : {};

/** /token/{id}: a key, its usage and its limits; administrators read those of others. @param tabsOf tabs from other features. */
export const ApiKeyPage = ({ tabsOf }: { tabsOf: (key: ShownKey) => readonly DetailTab[] }) => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("users");
  const { windows, ...open } = useApiKeyWindows();
  const query = useQuery(anyApiKeyQuery(useIdInAddress(), isAdmin));
  const [{ rotate }, changeAddress] = useAddress(readRotate);
  const { onRotate } = open;
  const factsOf = useFacts();
  useEffect(() => {
    if (!rotate || !query.data) return;
    if (isOwn(query.data)) onRotate(query.data);
    // A reload must not open the window again.
    changeAddress({ rotate: undefined });
  });
  return (
    <>
      {windows}
      <RecordPage query={query} label={t("token.pageTitle")}>
        {(key) => ({
          title: key.name || `#${key.id}`,
          marks: <Marks token={key} />,
          actions: isOwn(key) && <HeadActions token={key} {...open} />,
          facts: factsOf(key),
          tabs: [
            // Usage is summed by key name: for a key without a name the sum would cover all keys.
            ...(key.name === ""
              ? []
              : [{ id: "usage", label: t("detail.usage"), content: <Usage of={key} /> }]),
            {
              id: "limits",
              label: t("detail.limits"),
              content: isOwn(key) ? (
                <OwnLimits id={key.id} />
              ) : (
                <AccountLimits endpoint={getApiKeySummaryLimits} id={key.id} />
              ),
            },
            ...tabsOf(key),
          ],
        })}
      </RecordPage>
    </>
  );
};

const isOwn = (key: ShownKey): key is ApiKey => !("username" in key);

const Usage = ({ of: key }: { of: ShownKey }) =>
  isOwn(key) ? (
    <RecordUsage isOwn filter={{ token: key.name }} by={["model"]} />
  ) : (
    <RecordUsage filter={{ token: key.name, username: key.username }} by={["model", "channel"]} />
  );

const Marks = ({ token: { status, group = "", formerUntil } }: { token: KeySummary }) => {
  const { t } = useTranslation();
  return (
    <>
      <ApiKeyState status={status} />
      {group !== "" && (
        <Badge tone={groupTone(group)}>{group === AUTO_GROUP ? t("keyGroup.auto") : group}</Badge>
      )}
      {isFormerInUse({ formerUntil }) && (
        <Badge tone="yellow">
          {t("token.rotate.badge", { time: formatTime(formerUntil ?? 0).slice(5, 16) })}
        </Badge>
      )}
    </>
  );
};

const HeadActions = ({
  token,
  onConnect,
  onRotate,
}: { token: ApiKey } & Pick<ApiKeyWindows, "onConnect" | "onRotate">) => {
  const { t } = useTranslation();
  const change = useEndpoint(changeApiKey);
  const { id } = token;
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => onConnect(token)}>
        {t("token.connect.action")}
      </Button>
      <Button aria-haspopup="dialog" onClick={() => onRotate(token)}>
        {t("token.rotate.action")}
      </Button>
      <SwitchButton
        isOn={token.status === TOKEN_ENABLED}
        isBusy={change.isPending}
        onSwitch={(isOn) =>
          change.mutateAsync({
            query: { status_only: true },
            body: { id, status: isOn ? TOKEN_ENABLED : TOKEN_DISABLED },
          })
        }
      />
      <EditLink id={id} variant="primary">
        {t("action.edit")}
      </EditLink>
    </>
  );
};

interface EditLinkProps {
  id: number;
  variant: "primary" | "plain";
  children: string;
}

const EditLink = ({ id, variant, children }: EditLinkProps) => (
  <Link to="/token/edit/$id" params={{ id: String(id) }} className={buttonVariants({ variant })}>
    {children}
  </Link>
);

const OwnLimits = ({ id }: { id: number }) => {
  const { t } = useTranslation();
  return (
    <AccountLimits
      endpoint={getApiKeyLimits}
      id={id}
      setUp={
        <EditLink id={id} variant="plain">
          {t("limit.setUp")}
        </EditLink>
      }
    />
  );
};

/** What the head of the page says of a key. */
const useFacts = (): ((token: ShownKey) => readonly Fact[]) => {
  const { t } = useTranslation();
  return (token) => [
    isOwn(token)
      ? undefined
      : [
          t("field.user"),
          <RecordLink key="owner" kind="user" id={token.userId}>
            {token.username}
          </RecordLink>,
        ],
    [t("field.remainQuota"), token.unlimitedQuota ? t("value.unlimited") : formatQuota(token.remainQuota)],
    [t("field.usedQuota"), formatQuota(token.usedQuota)],
    [t("detail.lastUsed"), token.usedQuota > 0 && formatTime(token.accessedTime)],
    [t("field.expiredTime"), token.expiredTime === NEVER ? t("value.never") : formatTime(token.expiredTime)],
    [t("field.createdTime"), formatTime(token.createdTime)],
    [t("field.group"), <ApiKeyGroup key="group" group={token.group} />],
    [t("token.setting.subnet.label"), token.subnet || t("token.setting.subnet.placeholder")],
    [t("token.setting.models.label"), <ApiKeyModels key="models" models={token.models} />],
  ];
};

const ApiKeyGroup = ({ group = "" }: { group: string | undefined }): ReactNode => {
  const { t } = useTranslation();
  if (group === "") return t("detail.ownGroup");
  return group === AUTO_GROUP ? t("keyGroup.auto") : <GroupBadges groups={[group]} />;
};

const ApiKeyModels = ({ models = [] }: { models: readonly string[] | undefined }): ReactNode => {
  const { t } = useTranslation();
  if (models.length === 0) return t("token.setting.models.placeholder");
  return (
    // A long list must not push the tabs away.
    <span className="flex max-h-15 flex-wrap gap-x-2 overflow-y-auto">
      {models.map((name) => (
        <RecordLink key={name} kind="model" id={name} className="break-all" />
      ))}
    </span>
  );
};
