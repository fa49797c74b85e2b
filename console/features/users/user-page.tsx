import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { getUserLimits } from "@tollgate/contract/api/limit-uses";
import type { User } from "@tollgate/contract/api/user";
import { manageUser } from "@tollgate/contract/api/users";
import { tryParseJson } from "@tollgate/contract/values/parse-json";
import { isAdmin, isRoot } from "@tollgate/contract/values/roles";
import { splitList } from "@tollgate/contract/values/split-list";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { buttonVariants } from "../../components/button";
import { type DetailTab, type Fact, RecordPage, SwitchButton } from "../../components/detail-page";
import { GroupBadges } from "../../components/group-badges";
import { AccountLimits } from "../../components/limit-uses";
import { RecordLink } from "../../components/record-link";
import { RecordUsage } from "../../components/record-usage";
import { formatCount, formatQuota } from "../../lib/format";
import { useReadOnly } from "../../lib/read-only";
import { useSession } from "../../lib/session";
import { useStatus } from "../../lib/status";
import { useIdInAddress } from "../../lib/use-address";
import { useEndpoint } from "../../lib/use-endpoint";
import { AcceptedTerms } from "./accepted-terms";
import { UserRole, UserState } from "./user-marks";
import { userQuery } from "./user-queries";

/** /user/{id}: an account, its usage and its limits. @param tabsOf tabs from other features. */
export const UserPage = ({ tabsOf }: { tabsOf: (user: User) => readonly DetailTab[] }) => {
  const { t } = useTranslation();
  const query = useQuery(userQuery(useIdInAddress()));
  const factsOf = useFacts();
  const { may } = useSession();
  return (
    <RecordPage query={query} label={t("user.pageTitle")}>
      {(user) => ({
        title: user.username,
        marks: (
          <>
            <UserRole role={user.role} />
            <UserState status={user.status} />
          </>
        ),
        actions: <HeadActions user={user} />,
        facts: factsOf(user),
        tabs: [
          ...(may("usage")
            ? [
                {
                  id: "usage",
                  label: t("detail.usage"),
                  content: <RecordUsage filter={{ username: user.username }} by={["model", "token"]} />,
                },
              ]
            : []),
          { id: "limits", label: t("detail.limits"), content: <Limits id={user.id} /> },
          ...tabsOf(user),
        ],
      })}
    </RecordPage>
  );
};

const HeadActions = ({ user }: { user: User }) => {
  const { t } = useTranslation();
  const manage = useEndpoint(manageUser);
  const { may } = useSession();
  return (
    <>
      <SwitchButton
        isOn={user.status === USER_ENABLED}
        isBusy={manage.isPending}
        refusal={isRoot(user.role) ? t("user.rootUnchangeable") : undefined}
        onSwitch={(isOn) =>
          manage.mutateAsync({ body: { username: user.username, action: isOn ? "enable" : "disable" } })
        }
      />
      {may("prices") && (
        <Link
          to="/pricing/rules"
          search={{ user: user.username } as never}
          className={buttonVariants({ variant: "plain" })}
        >
          {t("detail.ownPrice")}
        </Link>
      )}
      <EditLink id={user.id} variant="primary">
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

const EditLink = ({ id, variant, children }: EditLinkProps) =>
  useReadOnly() ? null : (
    <Link to="/user/edit/$id" params={{ id: String(id) }} className={buttonVariants({ variant })}>
      {children}
    </Link>
  );

const countAliases = (text: string): number => Object.keys(tryParseJson(text) ?? {}).length;

/** What the head of the page says of a user. */
const useFacts = (): ((user: User) => readonly Fact[]) => {
  const { t } = useTranslation();
  const hasTerms = useStatus()?.terms_version !== undefined;
  return (user) => [
    [t("field.remainQuota"), formatQuota(user.quota)],
    [t("field.usedQuota"), formatQuota(user.usedQuota)],
    [t("user.requestCount"), formatCount(user.requestCount)],
    [t("user.groupField"), <GroupBadges key="groups" groups={splitList(user.group)} />],
    [t("field.id"), user.id],
    [t("user.displayName"), user.displayName],
    [
      t("user.aliases"),
      user.modelAliases && (
        <Link
          key="aliases"
          to="/user/edit/$id"
          params={{ id: String(user.id) }}
          className="text-accent underline-offset-2 hover:underline"
        >
          {formatCount(countAliases(user.modelAliases))}
        </Link>
      ),
    ],
    [t("detail.email"), user.email],
    [t("nav.terms"), hasTerms && !isAdmin(user.role) && <AcceptedTerms key="terms" userId={user.id} />],
    [
      t("detail.invitedBy"),
      user.inviterId > 0 && (
        <RecordLink key="inviter" kind="user" id={user.inviterId}>
          #{user.inviterId}
        </RecordLink>
      ),
    ],
  ];
};

const Limits = ({ id }: { id: number }) => {
  const { t } = useTranslation();
  return (
    <AccountLimits
      endpoint={getUserLimits}
      id={id}
      setUp={
        <EditLink id={id} variant="plain">
          {t("limit.setUp")}
        </EditLink>
      }
    />
  );
};
