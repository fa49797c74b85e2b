import type { Channel } from "@tollgate/contract/api/channels";
import type { IncidentReason, UpstreamTarget } from "@tollgate/relay/ports";
import type { ProbeResult, Prober } from "@tollgate/relay/probe";
import type { ChannelChanges } from "@tollgate/storage/accounts/site-ports";
import type { Logger } from "pino";
import { Failure } from "../management-api/failure";
import type { Options } from "../state/options";
import type { Job } from "./start-job";

/** How often is looked whether it is time. */
const EVERY_MS = 30_000;
const MINUTE_MS = 60_000;

export interface ChannelTestTools {
  channels: {
    keysOf(id: number): readonly UpstreamTarget[];
    toTest(): Channel[];
    disable(id: number, reason: IncidentReason): void;
    ids(): number[];
  };
  prober: Prober;
  store: Pick<ChannelChanges, "saveTest">;
  options: Pick<Options, "number" | "isOn">;
  /** Unix seconds. */
  now(): number;
  logger: Pick<Logger, "warn">;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)}s`;

/** Tests of channels: of one, and of all that are open and do not keep out of it. */
export class ChannelTests {
  private isRunning = false;

  constructor(private readonly tools: ChannelTestTools) {}

  /**
   * Tests a channel and keeps how long it took.
   * @param model the one to ask for; the channel's own test model where none is named.
   * @throws Failure where there is no such channel, or none that could be asked.
   */
  async test(id: number, model?: string): Promise<ProbeResult> {
    const { channels, prober, store, now } = this.tools;
    const [entry] = channels.keysOf(id);
    if (!entry) throw new Failure(channels.ids().includes(id) ? "channel-unusable" : "record-not-found");
    const result = await prober.probe(entry, model);
    // One-tenth of a millisecond is still "tested", so that the list does not show it as untested.
    await store.saveTest(id, now(), Math.max(1, Math.round(result.timeMs)));
    return result;
  }

  /** Tests all, one after another, unless that is under way. @returns false where it is. */
  start(isStopped = () => false): Promise<void> | false {
    if (this.isRunning) return false;
    this.isRunning = true;
    return this.testAll(isStopped).finally(() => {
      this.isRunning = false;
    });
  }

  private async testAll(isStopped: () => boolean): Promise<void> {
    for (const { id } of this.tools.channels.toTest()) {
      if (isStopped()) return;
      try {
        this.judge(id, await this.test(id));
      } catch (error) {
        this.tools.logger.warn({ channelId: id, error: String(error) }, "a channel could not be tested");
      }
    }
  }

  private judge(id: number, { timeMs, reason, isKeyDead }: ProbeResult): void {
    const { options, channels } = this.tools;
    if (!options.isOn("AutomaticDisableChannelEnabled")) return;
    const limitMs = options.number("ChannelDisableThreshold") * 1000;
    if (limitMs > 0 && timeMs > limitMs) {
      const params = { time: seconds(timeMs), limit: seconds(limitMs) };
      channels.disable(id, { code: "response-too-slow", params });
    } else if (isKeyDead) {
      // Only an upstream itself says so.
      channels.disable(id, typeof reason === "string" ? reason : "");
    }
  }
}

/**
 * Tests all channels every so often, where the site wants it (option ChannelTestMinutes).
 * @param isMine of several nodes one alone tests; the next one goes on where it is gone.
 */
export const testingChannels = (
  tests: ChannelTests,
  options: Pick<Options, "number">,
  isMine: () => boolean,
  nowMs: () => number,
): Job => {
  let lastMs = nowMs();
  return {
    name: "testing-channels",
    everyMs: EVERY_MS,
    async run(isStopped) {
      const minutes = options.number("ChannelTestMinutes");
      if (minutes === 0 || nowMs() - lastMs < minutes * MINUTE_MS || !isMine()) return;
      lastMs = nowMs();
      await tests.start(isStopped);
    },
  };
};
