import type { Channel } from "@tollgate/contract/api/channels";
import { calendarState } from "@tollgate/contract/management/channel-calendar";
import {
  CHANNEL_DISABLED_AUTOMATICALLY,
  CHANNEL_DISABLED_BY_HAND,
  CHANNEL_ENABLED,
} from "@tollgate/contract/values/statuses";
import { findCard } from "@tollgate/vendors/slim/find-card";
import { clsx } from "clsx";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { StateMark, TONE_TEXT, type Tone } from "../../components/badge";
import { InlineNumber } from "../../components/inline-number";
import { LazyBoundary } from "../../components/lazy-boundary";
import { VendorMark } from "../../components/vendor-mark";
import { formatTime } from "../../lib/format";
import { notify } from "../../lib/notify";
import { useVendorName } from "../../lib/vendor-name";
import { balanceText } from "./balance-text";
import { usePatchChannel, useReadBalance } from "./channel-changes";

export const ChannelType = ({ type }: { type: number }) => {
  const nameOf = useVendorName();
  return (
    <span className="flex items-center gap-1.5 wide:whitespace-nowrap">
      <VendorMark color={findCard(type)?.color ?? "grey"} />
      {nameOf(type)}
    </span>
  );
};

export const ChannelState = ({ channel }: { channel: Channel }) => {
  const { t } = useTranslation();
  const { keyCount, deadKeyCount } = channel;
  return (
    <span className="flex items-center gap-1.5">
      <StateOfStatus status={channel.status} />
      {keyCount > 1 && (
        <span
          className={clsx("text-xs tabular-nums", TONE_TEXT[deadKeyCount > 0 ? "yellow" : "grey"])}
          title={t("channel.keysUsable", { usable: keyCount - deadKeyCount, count: keyCount })}
        >
          {keyCount - deadKeyCount}/{keyCount}
        </span>
      )}
    </span>
  );
};

const StateOfStatus = ({ status }: { status: number }) => {
  const { t } = useTranslation();
  switch (status) {
    case CHANNEL_ENABLED:
      return <StateMark tone="green">{t("status.enabled")}</StateMark>;
    case CHANNEL_DISABLED_BY_HAND:
      return <StateMark tone="red">{t("status.disabled")}</StateMark>;
    case CHANNEL_DISABLED_AUTOMATICALLY:
      return <StateMark tone="yellow">{t("status.autoDisabled")}</StateMark>;
    default:
      return <StateMark tone="grey">{t("status.unknown")}</StateMark>;
  }
};

const CLOSED_TONE = { hours: "grey", window: "yellow", ended: "red" } as const;

/** Marks a channel closed by its calendar, with the reopening time if known. */
export const ClosedMark = ({ channel }: { channel: Channel }) => {
  const { t } = useTranslation();
  const state = calendarState(channel.calendar, channel.closedUntil, Date.now());
  if (state === "open") return null;
  return (
    <span
      className={clsx("whitespace-nowrap text-xs", TONE_TEXT[CLOSED_TONE[state]])}
      title={
        state === "window" ? t("channel.closed.until", { time: formatTime(channel.closedUntil) }) : undefined
      }
    >
      {t(`channel.closed.${state}`)}
    </span>
  );
};

/** The colour of a response time (specification section 9). */
export const responseTone = (milliseconds: number): Tone => {
  if (milliseconds === 0) return "grey";
  if (milliseconds <= 1000) return "green";
  if (milliseconds <= 3000) return "olive";
  return milliseconds <= 5000 ? "yellow" : "red";
};

export const ResponseTime = ({ channel }: { channel: Channel }) => {
  const { t } = useTranslation();
  const { responseTimeMs, testTime } = channel;
  return (
    <span
      className={clsx("wide:whitespace-nowrap", TONE_TEXT[responseTone(responseTimeMs)])}
      title={testTime > 0 ? t("channel.testedAt", { time: formatTime(testTime) }) : undefined}
    >
      {responseTimeMs === 0
        ? t("channel.untested")
        : t("channel.seconds", { seconds: (responseTimeMs / 1000).toFixed(2) })}
    </span>
  );
};

// Loaded with the first typed balance.
const loadTypedBalance = () => import("./typed-balance");

/** The rest of a typed balance; a click opens the form for a new one. */
const TypedBalanceButton = ({ channel }: { channel: Channel }) => {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const isTyped = channel.typedBalance !== undefined;
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        title={
          isTyped
            ? t("channel.typed.since", { time: formatTime(channel.balanceUpdatedTime) })
            : t("channel.typed.none")
        }
        onClick={() => {
          setOpened(true);
          setOpen(true);
        }}
        className={clsx(
          "touch -m-1 whitespace-nowrap rounded-sm p-1 hover:bg-hover",
          isTyped ? "underline decoration-line-strong decoration-dotted underline-offset-4" : "text-ink-3",
          isTyped && channel.balance <= 0 && "text-red",
        )}
      >
        {isTyped ? `$${channel.balance.toFixed(2)}` : t("channel.noBalance")}
      </button>
      {wasOpened && (
        <LazyBoundary
          load={loadTypedBalance}
          with={{ channel, isOpen, onClose: () => setOpen(false) }}
          onMissing={() => setOpened(false)}
        />
      )}
    </>
  );
};

/** A channel's balance; a click queries the upstream again. */
export const Balance = ({ channel }: { channel: Channel }) => {
  const { t } = useTranslation();
  const update = useReadBalance(channel.id);
  const text = balanceText(channel);
  if (text === undefined || channel.typedBalance !== undefined)
    return <TypedBalanceButton channel={channel} />;
  return (
    <button
      type="button"
      disabled={update.isPending}
      aria-label={t("channel.refreshBalance", { name: channel.name, balance: text })}
      title={
        channel.balanceUpdatedTime > 0
          ? t("channel.balanceAt", { time: formatTime(channel.balanceUpdatedTime) })
          : t("channel.balanceClick")
      }
      onClick={() =>
        update.mutate(
          { params: { id: channel.id } },
          { onSuccess: () => notify.success(t("channel.balanceUpdated", { name: channel.name })) },
        )
      }
      className="touch -m-1 rounded-sm p-1 underline decoration-line-strong decoration-dotted underline-offset-4 hover:bg-hover disabled:opacity-50"
    >
      {text}
    </button>
  );
};

/** A channel's priority or weight, edited in place. */
export const ChannelNumber = ({ channel, field }: { channel: Channel; field: "priority" | "weight" }) => {
  const { t } = useTranslation();
  const { mutateAsync: patch } = usePatchChannel(channel.id);
  return (
    <InlineNumber
      label={t(`channel.${field}Of`, { name: channel.name })}
      value={channel[field]}
      min={field === "weight" ? 0 : undefined}
      onCommit={async (value) => {
        await patch({ body: { id: channel.id, [field]: value } });
        notify.success(t("action.done"));
      }}
    />
  );
};
