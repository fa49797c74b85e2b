import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Channel } from "@tollgate/contract/api/channels";
import { createContext, useContext } from "react";
import { useTranslation } from "react-i18next";
import { TONE_TEXT } from "../../components/badge";
import { formatCount } from "../../lib/format";
import { channelUseQuery, NO_USE } from "./channel-queries";

/** A limit per key, times the number of working keys. */
const limitOf = (own: number | undefined, ofKey: number | undefined, keys: number): number | undefined => {
  if (ofKey === undefined) return own;
  return Math.min(own ?? Number.POSITIVE_INFINITY, ofKey * keys);
};

/** The channels of the shown page. */
export const ShownChannels = createContext<readonly Channel[]>([]);

const limitsOf = (channel: Channel) => {
  const keys = channel.keyCount - channel.deadKeyCount;
  return {
    active: limitOf(channel.concurrency, channel.keyConcurrency, keys),
    requests: limitOf(channel.rpm, channel.keyRpm, keys),
    tokens: limitOf(channel.tpm, channel.keyTpm, keys),
  };
};

const isLimited = (channel: Channel): boolean =>
  Object.values(limitsOf(channel)).some((limit) => limit !== undefined);

/** The usage of all limited channels of the page, in one call. */
const usePageUse = (isEnabled: boolean) => {
  const limited = useContext(ShownChannels).filter(isLimited);
  const ids = limited.map(({ id }) => id).sort((a, b) => a - b);
  return useQuery({
    ...channelUseQuery(ids),
    enabled: isEnabled && ids.length > 0,
    placeholderData: keepPreviousData,
  });
};

/** Current usage of a channel's limits, and the number of queued requests; empty without limits. */
export const ChannelUseMark = ({ channel }: { channel: Channel }) => {
  const { t } = useTranslation();
  const hasLimits = isLimited(channel);
  const { data } = usePageUse(hasLimits);
  if (!hasLimits) return null;
  const limits = limitsOf(channel);
  const use = data?.find(({ id }) => id === channel.id) ?? NO_USE;
  const used = (["active", "requests", "tokens"] as const)
    .flatMap((name) => {
      const limit = limits[name];
      if (limit === undefined) return [];
      const share = t("channelUse.of", { used: formatCount(use[name]), limit: formatCount(limit) });
      return [{ text: `${share} ${t(`channelUse.${name}`)}`, fullness: use[name] / limit }];
    })
    .sort((a, b) => b.fullness - a.fullness);
  // Shows the most used limit; the tooltip lists the others.
  const [nearest] = used;
  return (
    <span
      className="inline-flex gap-x-2 whitespace-nowrap text-xs tabular-nums"
      title={[t("channelUse.title"), ...used.map(({ text }) => text)].join("\n")}
    >
      <span className={TONE_TEXT[(nearest?.fullness ?? 0) >= 1 ? "yellow" : "grey"]}>{nearest?.text}</span>
      {use.waiting > 0 && (
        <span className={TONE_TEXT.yellow}>{t("channelUse.waiting", { count: use.waiting })}</span>
      )}
    </span>
  );
};
