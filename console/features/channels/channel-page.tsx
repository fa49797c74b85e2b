import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Channel, changeChannel } from "@tollgate/contract/api/channels";
import { CHANNEL_DISABLED_BY_HAND, CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge";
import { buttonVariants } from "../../components/button";
import { type DetailTab, type Fact, RecordPage, SwitchButton } from "../../components/detail-page";
import { GroupBadges } from "../../components/group-badges";
import { RecordLink } from "../../components/record-link";
import { RecordUsage } from "../../components/record-usage";
import { formatCount, formatQuota, formatTime } from "../../lib/format";
import { useIdInAddress } from "../../lib/use-address";
import { useEndpoint } from "../../lib/use-endpoint";
import { Balance, ChannelState, ChannelType, ResponseTime } from "./channel-cells";
import { ChannelLimitUses } from "./channel-limit-uses";
import { channelQuery } from "./channel-queries";
import { TestButtons } from "./test-button";
import { UpstreamAccountCard } from "./upstream-account";

/** /channel/{id}: an upstream connection, its usage and its limits. @param tabsOf tabs from other features. */
export const ChannelPage = ({ tabsOf }: { tabsOf: (channel: Channel) => readonly DetailTab[] }) => {
  const { t } = useTranslation();
  const query = useQuery(channelQuery(useIdInAddress()));
  const factsOf = useFacts();
  return (
    <RecordPage query={query} label={t("channel.pageTitle")}>
      {(channel) => ({
        title: channel.name || `#${channel.id}`,
        marks: (
          <>
            <ChannelState channel={channel} />
            {channel.tag !== "" && <Badge>{channel.tag}</Badge>}
          </>
        ),
        actions: <HeadActions channel={channel} />,
        facts: factsOf(channel),
        tabs: [
          {
            id: "usage",
            label: t("detail.usage"),
            content: <RecordUsage filter={{ channel: String(channel.id) }} by={["model", "user"]} />,
          },
          { id: "models", label: t("field.models"), content: <Models models={channel.models} /> },
          {
            id: "limits",
            label: t("detail.limits"),
            content: (
              <div className="flex flex-col gap-4">
                <ChannelLimitUses channel={channel} />
                <UpstreamAccountCard channel={channel} />
              </div>
            ),
          },
          ...tabsOf(channel),
        ],
      })}
    </RecordPage>
  );
};

const HeadActions = ({ channel }: { channel: Channel }) => {
  const { t } = useTranslation();
  const { id } = channel;
  const change = useEndpoint(changeChannel);
  return (
    <>
      <TestButtons channel={channel} />
      <SwitchButton
        isOn={channel.status === CHANNEL_ENABLED}
        isBusy={change.isPending}
        onSwitch={(isOn) =>
          change.mutateAsync({ body: { id, status: isOn ? CHANNEL_ENABLED : CHANNEL_DISABLED_BY_HAND } })
        }
      />
      <Link
        to="/channel/buying/$id"
        params={{ id: String(id) }}
        className={buttonVariants({ variant: "plain" })}
      >
        {t("detail.buying")}
      </Link>
      <Link
        to="/channel/edit/$id"
        params={{ id: String(id) }}
        className={buttonVariants({ variant: "primary" })}
      >
        {t("action.edit")}
      </Link>
    </>
  );
};

/** What the head of the page says of a channel. */
const useFacts = (): ((channel: Channel) => readonly Fact[]) => {
  const { t } = useTranslation();
  return (channel) => [
    [t("field.type"), <ChannelType key="type" type={channel.type} />],
    [t("field.group"), <GroupBadges key="groups" groups={channel.groups} />],
    [t("field.balance"), <Balance key="balance" channel={channel} />],
    [t("detail.keys"), `${channel.keyCount - channel.deadKeyCount} / ${channel.keyCount}`],
    [t("field.usedQuota"), formatQuota(channel.usedQuota)],
    [t("field.responseTime"), <ResponseTime key="time" channel={channel} />],
    [t("detail.testedAt"), formatTime(channel.testTime)],
    [t("detail.answered"), formatCount(channel.usedRequests)],
    [t("field.priority"), channel.priority],
    [t("field.weight"), channel.weight],
    [t("detail.baseUrl"), channel.baseUrl],
    [t("field.createdTime"), formatTime(channel.createdTime)],
  ];
};

const Models = ({ models }: Pick<Channel, "models">) => {
  const { t } = useTranslation();
  return (
    <section aria-label={t("field.models")} className="rounded-lg border border-line bg-surface px-4 py-3">
      <h2 className="mb-1 font-semibold text-base">{t("detail.models", { count: models.length })}</h2>
      <p className="break-words text-sm text-ink-2">
        {models.map((name, index) => (
          <Fragment key={name}>
            {index > 0 && ", "}
            <RecordLink kind="model" id={name} />
          </Fragment>
        ))}
      </p>
    </section>
  );
};
