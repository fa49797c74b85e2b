import { PROBE_REQUEST } from "@tollgate/protocols/protocols";
import type { UpstreamTarget } from "@tollgate/relay/ports/directory";
import { createProber } from "@tollgate/relay/probe";
import { remakeCall, type SentChat } from "@tollgate/relay/remake-call";
import { fetchMedia } from "@tollgate/relay/transport/fetch-media";
import { createModelLister } from "@tollgate/relay/upstream-models";
import { KeyProbes } from "../jobs/probe-keys";
import { ChannelTests } from "../jobs/test-channels";
import type { Closing } from "./closing";
import type { Foundation } from "./foundation";
import type { People } from "./people";
import type { Relaying } from "./relaying";

/** Channels' calendars have a precision of one minute; their begin is noticed within this time. */
const CALENDAR_REVIEW_MS = 1000;

/** Questions that the gateway asks upstreams by itself: tests of channels, probes of keys, lists of models. */
export const openUpstreams = (
  { config, course, storage, options, logger, now, nowMs, isFirstNode }: Foundation,
  { channels }: People,
  { transport, tokenCounter, pricing, unsupportedFields }: Relaying,
  closing: Closing,
) => {
  const authTools = { transport, now: nowMs, random: Math.random };
  const prober = createProber(authTools, PROBE_REQUEST);
  const channelTests = new ChannelTests({
    channels,
    prober,
    trialPorts: { ...authTools, tokenCounter, fetchMedia, buys: pricing.buys },
    store: storage.write.channels,
    options,
    now,
    logger,
  });
  const calendars = setInterval(() => channels.reviewCalendars(), CALENDAR_REVIEW_MS);
  calendars.unref();
  closing.add(() => clearInterval(calendars));
  const keyProbes = new KeyProbes({
    keysOutOfUse: () => channels.keysOutOfUse(),
    probe: (entry) => prober.probe(entry),
    longestMs: () => options.number("ChannelDisableThreshold") * 1000,
    revive: (entry) => channels.reviveKey(entry),
    isOn: () => course.isForEverybody && options.isOn("AutomaticEnableChannelEnabled") && isFirstNode(),
    intervalMs: config.keyProbeIntervalMs,
  });
  closing.add(() => keyProbes.stop());
  const remakePorts = {
    ...{ now: nowMs, random: Math.random, tokenCounter, unsupportedFields },
    find: pricing.find,
  };
  return {
    channelTests,
    upstreamModels: createModelLister(authTools),
    remake: (target: UpstreamTarget, chat: SentChat) => remakeCall(remakePorts, target, chat),
  };
};

export type Upstreams = ReturnType<typeof openUpstreams>;
