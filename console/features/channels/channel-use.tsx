import { useQuery } from "@tanstack/react-query";
import type { Channel } from "@tollgate/contract/api/channels";
import type { ChannelUse } from "@tollgate/contract/management/channel-limits";
import { clsx } from "clsx";
import { useTranslation } from "react-i18next";
import { TONE_TEXT } from "../../components/badge";
import { formatCount } from "../../lib/format";
import { channelUseQuery } from "./channel-queries";

/** Of a limit for each key: the limit of all keys that work. */
const limitOf = (own: number | undefined, ofKey: number | undefined, keys: number): number | undefined => {
  if (ofKey === undefined) return own;
  return Math.min(own ?? Number.POSITIVE_INFINITY, ofKey * keys);
};

const NO_USE = { requests: 0, tokens: 0, active: 0, waiting: 0 } satisfies Omit<ChannelUse, "id">;

/** How much of its limits a channel uses now, and how many requests wait for it; nothing for one without limits. */
export const ChannelUseMark = ({ channel }: { channel: Channel }) => {
  const { t } = useTranslation();
  const keys = channel.keyCount - channel.deadKeyCount;
  const limits = {
    active: limitOf(channel.concurrency, channel.keyConcurrency, keys),
    requests: limitOf(channel.rpm, channel.keyRpm, keys),
    tokens: limitOf(channel.tpm, channel.keyTpm, keys),
  };
  const isLimited = Object.values(limits).some((limit) => limit !== undefined);
  const { data } = useQuery({ ...channelUseQuery, enabled: isLimited });
  if (!isLimited) return null;
  const use = data?.find(({ id }) => id === channel.id) ?? NO_USE;
  return (
    <span className="block text-xs tabular-nums" title={t("channelUse.title")}>
      {(["active", "requests", "tokens"] as const).map((name) => {
        const limit = limits[name];
        if (limit === undefined) return null;
        return (
          <span
            key={name}
            className={clsx(
              "block wide:whitespace-nowrap",
              TONE_TEXT[use[name] >= limit ? "yellow" : "grey"],
            )}
          >
            {t("channelUse.of", {
              used: formatCount(use[name]),
              limit: formatCount(limit),
            })}{" "}
            {t(`channelUse.${name}`)}
          </span>
        );
      })}
      {use.waiting > 0 && (
        <span className={clsx("block", TONE_TEXT.yellow)}>
          {t("channelUse.waiting", { count: use.waiting })}
        </span>
      )}
    </span>
  );
};
