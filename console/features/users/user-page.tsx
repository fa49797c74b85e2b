import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { User } from "@tollgate/contract/api/user";
import { manageUser } from "@tollgate/contract/api/users";
import { isRoot } from "@tollgate/contract/values/roles";
import { splitList } from "@tollgate/contract/values/split-list";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../../components/button";
import { DetailPage, type DetailTab, Facts } from "../../components/detail-page";
import { FormLoading } from "../../components/form-page";
import { GroupBadges } from "../../components/group-badges";
import { RecordLink } from "../../components/record-link";
import { UsageTable } from "../../components/usage-table";
import { formatCount, formatQuota } from "../../lib/format";
import { notify } from "../../lib/notify";
import { lastDays } from "../../lib/usage/last-days";
import { useIdInAddress } from "../../lib/use-address";
import { useEndpoint } from "../../lib/use-endpoint";
import { UserRole, UserState } from "./user-marks";
import { userQuery } from "./user-queries";

/** /user/{id}: an account, what it uses, and whatever else concerns it. @param tabsOf the parts that other features have. */
export const UserPage = ({ tabsOf }: { tabsOf: (user: User) => readonly DetailTab[] }) => {
  const { t } = useTranslation();
  const id = useIdInAddress();
  const { data: user, error, refetch } = useQuery(userQuery(id));
  if (!user) return <FormLoading title={t("user.pageTitle")} error={error} onRetry={() => void refetch()} />;
  return (
    <DetailPage
      title={user.username}
      marks={
        <>
          <UserRole role={user.role} />
          <UserState status={user.status} />
        </>
      }
      actions={<HeadActions user={user} />}
      label={t("user.pageTitle")}
      tabs={[
        { id: "overview", label: t("detail.overview"), content: <Overview user={user} /> },
        ...tabsOf(user),
      ]}
    />
  );
};

const HeadActions = ({ user }: { user: User }) => {
  const { t } = useTranslation();
  const manage = useEndpoint(manageUser);
  const isEnabled = user.status === USER_ENABLED;
  return (
    <>
      <Button
        disabled={isRoot(user.role)}
        title={isRoot(user.role) ? t("user.rootUnchangeable") : undefined}
        isBusy={manage.isPending}
        onClick={() =>
          manage.mutate(
            { body: { username: user.username, action: isEnabled ? "disable" : "enable" } },
            { onSuccess: () => notify.success(t("action.done")) },
          )
        }
      >
        {isEnabled ? t("action.disable") : t("action.enable")}
      </Button>
      <Link
        to="/pricing/rules"
        search={{ user: user.username } as never}
        className={buttonVariants({ variant: "plain" })}
      >
        {t("detail.ownPrice")}
      </Link>
      <Link
        to="/user/edit/$id"
        params={{ id: String(user.id) }}
        className={buttonVariants({ variant: "primary" })}
      >
        {t("action.edit")}
      </Link>
    </>
  );
};

/** How far back the tables of usage look. */
const DAYS = 30;

const Overview = ({ user }: { user: User }) => {
  const { t } = useTranslation();
  const [range] = useState(() => lastDays(DAYS, Date.now()));
  const filter = { username: user.username };
  const none = <span className="text-ink-3">{t("value.none")}</span>;
  return (
    <div className="flex flex-col gap-4">
      <Facts
        label={t("detail.facts")}
        facts={[
          [t("field.remainQuota"), formatQuota(user.quota)],
          [t("field.usedQuota"), formatQuota(user.usedQuota)],
          [t("user.requestCount"), formatCount(user.requestCount)],
          [t("user.groupField"), <GroupBadges key="groups" groups={splitList(user.group)} />],
          [t("field.id"), user.id],
          [t("user.displayName"), user.displayName || none],
          [t("detail.email"), user.email || none],
          [
            t("detail.invitedBy"),
            user.inviterId > 0 ? (
              <Link
                key="inviter"
                to="/user/$id"
                params={{ id: String(user.inviterId) }}
                className="text-accent underline-offset-2 hover:underline"
              >
                #{user.inviterId}
              </Link>
            ) : (
              none
            ),
          ],
        ]}
      />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <UsageTable
          title={t("detail.byModel", { days: DAYS })}
          range={range}
          step="day"
          by="model"
          filter={filter}
          nameOf={({ key }) => <RecordLink kind="model" id={key} />}
          linesOf={({ key }) => ({ ...filter, model: key })}
        />
        <UsageTable
          title={t("detail.byKey", { days: DAYS })}
          range={range}
          step="day"
          by="token"
          filter={filter}
          nameOf={({ name, key }) => name || `#${key}`}
          linesOf={({ name }) => ({ ...filter, token: name })}
        />
      </div>
    </div>
  );
};
