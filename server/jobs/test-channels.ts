import type { DetailedTestBody, TestEndpoint } from "@tollgate/contract/api/channel-upstream";
import type { Channel } from "@tollgate/contract/api/channels";
import type { Describe } from "@tollgate/relay/ports/client";
import type { IncidentReason, UpstreamTarget } from "@tollgate/relay/ports/directory";
import type { ProbeResult, Prober } from "@tollgate/relay/probe";
import { type Trial, type TrialPorts, testEndpointsOf, tryChannel } from "@tollgate/relay/trial";
import type { ChannelChanges } from "@tollgate/storage/accounts/site-ports";
import type { Logger } from "pino";
import { Failure } from "../management-api/failure";
import type { Options } from "../state/options";
import type { Job } from "./start-job";

/** Interval for checking whether a test is due. */
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
  trialPorts: TrialPorts;
  store: Pick<ChannelChanges, "saveTest">;
  options: Pick<Options, "number" | "isOn">;
  /** Unix seconds. */
  now(): number;
  logger: Pick<Logger, "warn">;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)}s`;

/** Tests one channel, or all that are open and not excluded. */
export class ChannelTests {
  private isRunning = false;

  constructor(private readonly tools: ChannelTestTools) {}

  /**
   * Tests a channel and stores the response time.
   * @param model the model to request; the channel's own test model by default.
   * @throws Failure when the channel does not exist, or cannot be reached by a request.
   */
  async test(id: number, model?: string): Promise<ProbeResult> {
    const { prober, store, now } = this.tools;
    const result = await prober.probe(this.entryOf(id), model);
    // One-tenth of a millisecond is still "tested", so that the list does not show it as untested.
    await store.saveTest(id, now(), Math.max(1, Math.round(result.timeMs)));
    return result;
  }

  /** The endpoints at which a channel can be tested. @throws Failure like a test. */
  endpointsOf(id: number): TestEndpoint[] {
    return testEndpointsOf(this.entryOf(id));
  }

  /**
   * Tests a channel as a person wants it. Its response time is not stored: other prompts take other times.
   * @param describe formats what a client would be told. @throws Failure like a test.
   */
  testInDetail(id: number, asked: DetailedTestBody, describe: Describe): Promise<Trial> {
    return tryChannel(this.tools.trialPorts, this.entryOf(id), asked, describe);
  }

  private entryOf(id: number): UpstreamTarget {
    const { channels } = this.tools;
    const [entry] = channels.keysOf(id);
    if (!entry) throw new Failure(channels.ids().includes(id) ? "channel-unusable" : "record-not-found");
    return entry;
  }

  /** Tests all, one after another. @returns false while such a round is running. */
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
      // Only the upstream itself reports this.
      channels.disable(id, typeof reason === "string" ? reason : "");
    }
  }
}

/**
 * Tests all channels at the interval set by the option ChannelTestMinutes.
 * @param isMine only one of several nodes tests; when it is gone, the next one takes over.
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
