import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Channel } from "@tollgate/contract/api/channels";
import { useTranslation } from "react-i18next";
import { buttonVariants } from "../../components/button";
import { LimitUses, type ShownLimit } from "../../components/limit-uses";
import { channelUseQuery, NO_USE } from "./channel-queries";

/** The limits of a channel's upstream, with their current usage. */
export const ChannelLimitUses = ({ channel }: { channel: Channel }) => {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(channelUseQuery([channel.id]));
  const { requests, tokens, active, waiting } = data?.find(({ id }) => id === channel.id) ?? NO_USE;
  const keys = channel.keyCount - channel.deadKeyCount;
  const of = t("channelUse.allKeys");
  const ofEach = (limit: number) => t("channelUse.eachKey", { count: keys, limit });
  const used = { rpm: requests, tpm: tokens, concurrency: active };
  const perKey = { rpm: channel.keyRpm, tpm: channel.keyTpm, concurrency: channel.keyConcurrency };
  const limits = (["rpm", "tpm", "concurrency"] as const).flatMap((name): ShownLimit[] => {
    const shared = { name: t(`limit.${name}`), used: used[name] };
    const max = channel[name];
    const each = perKey[name];
    return [
      ...(max === undefined ? [] : [{ ...shared, id: name, of, max }]),
      ...(each === undefined
        ? []
        : [{ ...shared, id: `${name} of keys`, of: ofEach(each), max: each * Math.max(1, keys) }]),
    ];
  });
  return (
    <LimitUses
      limits={data && limits}
      error={error}
      onRetry={() => void refetch()}
      setUp={
        <Link
          to="/channel/edit/$id"
          params={{ id: String(channel.id) }}
          className={buttonVariants({ variant: "plain" })}
        >
          {t("limit.setUp")}
        </Link>
      }
      note={waiting > 0 ? t("channelUse.waiting", { count: waiting }) : t("channelUse.noneWaiting")}
    />
  );
};
