import { createHash } from "node:crypto";
import type { Channel } from "@tollgate/contract/api/channels";
import { modelChanges } from "@tollgate/contract/management/model-changes";
import type { UpstreamTarget } from "@tollgate/relay/ports";
import type { ModelLister } from "@tollgate/relay/upstream-models";
import type { Logger } from "pino";
import type { Notices } from "../notices/notices";
import type { Options } from "../state/options";
import { ignoredModels } from "../upstream-models/ignored-models";
import type { Job } from "./start-job";

const HOUR_MS = 3_600_000;

/** How often is looked whether it is time. */
const EVERY_MS = 10 * 60_000;

/** How many models a line of the log names of each kind. */
const NAMED = 20;

/** Enough that no two changes of a channel are taken for one. */
const SUBJECT_LENGTH = 16;

export interface ModelWatch {
  options: Options;
  channels: { enabled(): Channel[]; keysOf(id: number): readonly UpstreamTarget[] };
  upstreamModels: ModelLister;
  /** Of several nodes one alone asks; the next one goes on where it is gone. */
  isMine(): boolean;
  logger: Pick<Logger, "warn">;
  notices: Pick<Notices, "raise">;
  /** Milliseconds since the epoch. */
  nowMs(): number;
}

/**
 * Asks the upstreams of all channels in use for their models, every few hours where the site wants it (option ModelWatchHours), and
 * says in the log what is new and what is gone: once for each change. So are people told. It changes no channel.
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
  /** What was said last, by the channel's id. */
  let said = new Map<number, string>();

  const look = async (channel: Channel, patterns: string): Promise<string> => {
    const [target] = channels.keysOf(channel.id);
    const before = said.get(channel.id) ?? "";
    const list = target && (await upstreamModels.list(target));
    // What cannot be asked now is no change.
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
        // The same change is told once, also where this process is a new one.
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
