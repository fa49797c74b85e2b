import { createHash } from "node:crypto";
import type { Channel } from "@tollgate/contract/api/channels";
import { modelChanges } from "@tollgate/contract/management/model-changes";
import type { UpstreamTarget } from "@tollgate/relay/ports/directory";
import type { ModelLister } from "@tollgate/relay/upstream-models";
import type { Logger } from "pino";
import type { Notices } from "../notices/notices";
import type { Options } from "../state/options";
import { ignoredModels } from "../upstream-models/ignored-models";
import type { Job } from "./start-job";

const HOUR_MS = 3_600_000;

/** Interval for checking whether a round is due. */
const EVERY_MS = 10 * 60_000;

/** Maximum number of models of each kind named in a log line. */
const NAMED = 20;

/** Long enough to distinguish any two changes of a channel. */
const SUBJECT_LENGTH = 16;

export interface ModelWatch {
  options: Options;
  channels: { enabled(): Channel[]; keysOf(id: number): readonly UpstreamTarget[] };
  upstreamModels: ModelLister;
  /** Only one of several nodes queries; when it is gone, the next one takes over. */
  isMine(): boolean;
  logger: Pick<Logger, "warn">;
  notices: Pick<Notices, "raise">;
  /** Milliseconds since the epoch. */
  nowMs(): number;
}

/**
 * Queries the upstreams of all channels in use for their models, every few hours if enabled (option ModelWatchHours),
 * and logs new and removed models once for each change. People are notified likewise. Changes no channel.
 */
export const watchingModels = ({
  options,
  channels,
  upstreamModels,
  isMine,
  logger,
  notices,
  nowMs,
}: ModelWatch): Job => {
  let lastMs: number | undefined;
  /** The last report, by the channel's id. */
  let said = new Map<number, string>();

  const look = async (channel: Channel, patterns: string): Promise<string> => {
    const [target] = channels.keysOf(channel.id);
    const before = said.get(channel.id) ?? "";
    const list = target && (await upstreamModels.list(target));
    // An upstream that cannot be queried now is no change.
    if (list?.kind !== "models") return before;
    const ignored = ignoredModels(list.models, patterns);
    const { added, gone } = modelChanges(channel.models, channel.modelMapping, list.models, ignored);
    const now = added.length + gone.length === 0 ? "" : JSON.stringify([added.toSorted(), gone.toSorted()]);
    if (now !== "" && now !== before) {
      logger.warn(
        {
          channelId: channel.id,
          new: added.length,
          gone: gone.length,
          newModels: added.slice(0, NAMED),
          goneModels: gone.slice(0, NAMED),
        },
        "an upstream's models are not those of its channel",
      );
      const { id, name } = channel;
      notices.raise({
        event: "models-changed",
        // Reports a change once, also across restarts.
        subject: `${id} ${createHash("sha256").update(now).digest("base64url").slice(0, SUBJECT_LENGTH)}`,
        params: { id, name, added: added.slice(0, NAMED), removed: gone.slice(0, NAMED) },
      });
    }
    return now;
  };

  return {
    name: "watching-models",
    everyMs: EVERY_MS,
    async run(isStopped) {
      const hours = options.number("ModelWatchHours");
      const isDue = lastMs === undefined || nowMs() - lastMs >= hours * HOUR_MS;
      if (hours === 0 || !isDue || !isMine()) return;
      lastMs = nowMs();
      const next = new Map<number, string>();
      for (const channel of channels.enabled()) {
        if (isStopped()) return;
        next.set(channel.id, await look(channel, options.text("IgnoredModels")));
      }
      said = next;
    },
  };
};
