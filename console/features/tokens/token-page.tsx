import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { changeToken, type Token } from "@tollgate/contract/api/tokens";
import { LIMITS } from "@tollgate/contract/management/limits";
import { AUTO_GROUP } from "@tollgate/contract/values/auto-group";
import { TOKEN_DISABLED, TOKEN_ENABLED } from "@tollgate/contract/values/statuses";
import { NEVER } from "@tollgate/contract/values/time";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge";
import { Button, buttonVariants } from "../../components/button";
import { DetailPage, type DetailTab, Facts } from "../../components/detail-page";
import { FormLoading } from "../../components/form-page";
import { GroupBadges, groupTone } from "../../components/group-badges";
import { RecordLink } from "../../components/record-link";
import { UsageTable } from "../../components/usage-table";
import { formatCount, formatQuota, formatTime } from "../../lib/format";
import { notify } from "../../lib/notify";
import { lastDays } from "../../lib/usage/last-days";
import { useAddress, useIdInAddress } from "../../lib/use-address";
import { useEndpoint } from "../../lib/use-endpoint";
import { isFormerInUse } from "./former-key";
import { tokenQuery } from "./token-queries";
import { TokenState } from "./token-state";
import { type TokenWindows, useTokenWindows } from "./token-windows";

/** What the address asks for: the menu of commands leads to the window of a new secret. */
const readRotate = (search: Record<string, unknown>): { rotate?: true } =>
  search.rotate === "true" ? { rotate: true } : {};

/** /token/{id}: one of the reader's own keys, and its use. @param tabsOf the parts that other features have. */
export const TokenPage = ({ tabsOf }: { tabsOf: (token: Token) => readonly DetailTab[] }) => {
  const { t } = useTranslation();
  const id = useIdInAddress();
  const { windows, ...open } = useTokenWindows();
  const { data: token, error, refetch } = useQuery(tokenQuery(id));
  const [{ rotate }, changeAddress] = useAddress(readRotate);
  const { onRotate } = open;
  useEffect(() => {
    if (!rotate || !token) return;
    onRotate(token);
    // A page that is loaded again asks for nothing.
    changeAddress({ rotate: undefined });
  });
  if (!token)
    return <FormLoading title={t("token.pageTitle")} error={error} onRetry={() => void refetch()} />;
  const { group = "", formerUntil } = token;
  return (
    <>
      {windows}
      <DetailPage
        title={token.name || `#${token.id}`}
        marks={
          <>
            <TokenState status={token.status} />
            {group !== "" && (
              <Badge tone={groupTone(group)}>{group === AUTO_GROUP ? t("keyGroup.auto") : group}</Badge>
            )}
            {isFormerInUse({ formerUntil }) && (
              <Badge tone="yellow">
                {t("token.rotate.badge", { time: formatTime(formerUntil ?? 0).slice(5, 16) })}
              </Badge>
            )}
          </>
        }
        actions={<HeadActions token={token} {...open} />}
        label={t("token.pageTitle")}
        tabs={[
          { id: "overview", label: t("detail.overview"), content: <Overview token={token} /> },
          ...tabsOf(token),
        ]}
      />
    </>
  );
};

const HeadActions = ({
  token,
  onConnect,
  onRotate,
}: { token: Token } & Pick<TokenWindows, "onConnect" | "onRotate">) => {
  const { t } = useTranslation();
  const change = useEndpoint(changeToken);
  const { id } = token;
  const isEnabled = token.status === TOKEN_ENABLED;
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => onConnect(token)}>
        {t("token.connect.action")}
      </Button>
      <Button aria-haspopup="dialog" onClick={() => onRotate(token)}>
        {t("token.rotate.action")}
      </Button>
      <Button
        isBusy={change.isPending}
        onClick={() =>
          change.mutate(
            {
              query: { status_only: true },
              body: { id, status: isEnabled ? TOKEN_DISABLED : TOKEN_ENABLED },
            },
            { onSuccess: () => notify.success(t("action.done")) },
          )
        }
      >
        {isEnabled ? t("action.disable") : t("action.enable")}
      </Button>
      <Link
        to="/token/edit/$id"
        params={{ id: String(id) }}
        className={buttonVariants({ variant: "primary" })}
      >
        {t("action.edit")}
      </Link>
    </>
  );
};

/** How far back the tables of usage look. */
const DAYS = 30;

const BUDGETS: readonly string[] = ["dailyQuota", "monthlyQuota"];

const Overview = ({ token }: { token: Token }) => {
  const { t } = useTranslation();
  const [range] = useState(() => lastDays(DAYS, Date.now()));
  const filter = { token: token.name };
  const none = <span className="text-ink-3">{t("value.none")}</span>;
  const limits = (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).flatMap((name) => {
    const limit = token.limits?.[name];
    if (limit === undefined) return [];
    return [[t(`limit.${name}`), BUDGETS.includes(name) ? formatQuota(limit) : formatCount(limit)] as const];
  });
  return (
    <div className="flex flex-col gap-4">
      <Facts
        label={t("detail.facts")}
        facts={[
          [
            t("field.remainQuota"),
            token.unlimitedQuota ? t("value.unlimited") : formatQuota(token.remainQuota),
          ],
          [t("field.usedQuota"), formatQuota(token.usedQuota)],
          [t("detail.lastUsed"), token.usedQuota > 0 ? formatTime(token.accessedTime) : none],
          [
            t("field.expiredTime"),
            token.expiredTime === NEVER ? t("value.never") : formatTime(token.expiredTime),
          ],
          [t("field.createdTime"), formatTime(token.createdTime)],
          [t("field.group"), <TokenGroup key="group" group={token.group} />],
          [t("token.setting.subnet.label"), token.subnet || t("token.setting.subnet.placeholder")],
          [t("token.setting.models.label"), <TokenModels key="models" models={token.models} />],
          ...limits,
        ]}
      />
      {token.name !== "" && (
        <UsageTable
          title={t("detail.byModel", { days: DAYS })}
          isAll={false}
          range={range}
          step="day"
          by="model"
          filter={filter}
          nameOf={({ key }) => <RecordLink kind="model" id={key} />}
          linesOf={({ key }) => ({ ...filter, model: key })}
        />
      )}
    </div>
  );
};

const TokenGroup = ({ group = "" }: { group: string | undefined }): ReactNode => {
  const { t } = useTranslation();
  if (group === "") return t("detail.ownGroup");
  return group === AUTO_GROUP ? t("keyGroup.auto") : <GroupBadges groups={[group]} />;
};

const TokenModels = ({ models = [] }: { models: readonly string[] | undefined }): ReactNode => {
  const { t } = useTranslation();
  if (models.length === 0) return t("token.setting.models.placeholder");
  return (
    <span className="flex flex-wrap gap-x-2">
      {models.map((name) => (
        <RecordLink key={name} kind="model" id={name} className="break-all" />
      ))}
    </span>
  );
};
