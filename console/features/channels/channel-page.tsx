import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Channel, changeChannel, testChannel } from "@tollgate/contract/api/channels";
import { CHANNEL_DISABLED_BY_HAND, CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";
import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge";
import { Button, buttonVariants } from "../../components/button";
import { DetailPage, type DetailTab, Facts } from "../../components/detail-page";
import { FormLoading } from "../../components/form-page";
import { GroupBadges } from "../../components/group-badges";
import { RecordLink } from "../../components/record-link";
import { UsageTable } from "../../components/usage-table";
import { formatCount, formatQuota, formatTime } from "../../lib/format";
import { notify } from "../../lib/notify";
import { lastDays } from "../../lib/usage/last-days";
import { useIdInAddress } from "../../lib/use-address";
import { useEndpoint } from "../../lib/use-endpoint";
import { Balance, ChannelState, ChannelType, ResponseTime } from "./channel-cells";
import { channelQuery } from "./channel-queries";

/** /channel/{id}: an upstream connection, what goes over it, and whatever else concerns it. @param tabsOf the parts that other features have. */
export const ChannelPage = ({ tabsOf }: { tabsOf: (channel: Channel) => readonly DetailTab[] }) => {
  const { t } = useTranslation();
  const id = useIdInAddress();
  const { data: channel, error, refetch } = useQuery(channelQuery(id));
  if (!channel)
    return <FormLoading title={t("channel.pageTitle")} error={error} onRetry={() => void refetch()} />;
  return (
    <DetailPage
      title={channel.name || `#${channel.id}`}
      marks={
        <>
          <ChannelState channel={channel} />
          {channel.tag !== "" && <Badge>{channel.tag}</Badge>}
        </>
      }
      actions={<HeadActions channel={channel} />}
      label={t("channel.pageTitle")}
      tabs={[
        { id: "overview", label: t("detail.overview"), content: <Overview channel={channel} /> },
        ...tabsOf(channel),
      ]}
    />
  );
};

const HeadActions = ({ channel }: { channel: Channel }) => {
  const { t } = useTranslation();
  const { id, name } = channel;
  const change = useEndpoint(changeChannel);
  const test = useEndpoint(testChannel);
  const isEnabled = channel.status === CHANNEL_ENABLED;
  return (
    <>
      <Button
        isBusy={test.isPending}
        onClick={() =>
          test.mutate(
            { params: { id } },
            {
              onSuccess: ({ time }) => notify.info(t("channel.tested", { name, seconds: time.toFixed(2) })),
            },
          )
        }
      >
        {t("channel.test")}
      </Button>
      <Button
        isBusy={change.isPending}
        onClick={() =>
          change.mutate(
            { body: { id, status: isEnabled ? CHANNEL_DISABLED_BY_HAND : CHANNEL_ENABLED } },
            { onSuccess: () => notify.success(t("action.done")) },
          )
        }
      >
        {isEnabled ? t("action.disable") : t("action.enable")}
      </Button>
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

/** How far back the tables of usage look. */
const DAYS = 30;

const Overview = ({ channel }: { channel: Channel }) => {
  const { t } = useTranslation();
  const [range] = useState(() => lastDays(DAYS, Date.now()));
  const filter = { channel: String(channel.id) };
  const none = <span className="text-ink-3">{t("value.none")}</span>;
  return (
    <div className="flex flex-col gap-4">
      <Facts
        label={t("detail.facts")}
        facts={[
          [t("field.type"), <ChannelType key="type" type={channel.type} />],
          [t("field.group"), <GroupBadges key="groups" groups={channel.groups} />],
          [t("field.balance"), <Balance key="balance" channel={channel} />],
          [t("field.usedQuota"), formatQuota(channel.usedQuota)],
          [t("field.responseTime"), <ResponseTime key="time" channel={channel} />],
          [t("detail.testedAt"), formatTime(channel.testTime) || none],
          [t("detail.answered"), formatCount(channel.usedRequests)],
          [t("detail.keys"), `${channel.keyCount - channel.deadKeyCount} / ${channel.keyCount}`],
          [t("field.priority"), channel.priority],
          [t("field.weight"), channel.weight],
          [t("detail.baseUrl"), channel.baseUrl || none],
          [t("field.createdTime"), formatTime(channel.createdTime) || none],
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
          title={t("detail.byUser", { days: DAYS })}
          range={range}
          step="day"
          by="user"
          filter={filter}
          nameOf={({ key, name }) => (
            <RecordLink kind="user" id={key}>
              {name || `#${key}`}
            </RecordLink>
          )}
          linesOf={({ name }) => ({ ...filter, username: name })}
        />
      </div>
      <section aria-label={t("field.models")} className="rounded-lg border border-line bg-surface px-4 py-3">
        <h2 className="mb-1 font-semibold text-base">
          {t("detail.models", { count: channel.models.length })}
        </h2>
        <p className="break-words text-sm text-ink-2">
          {channel.models.map((name, index) => (
            <Fragment key={name}>
              {index > 0 && ", "}
              <RecordLink kind="model" id={name} />
            </Fragment>
          ))}
        </p>
      </section>
    </div>
  );
};
