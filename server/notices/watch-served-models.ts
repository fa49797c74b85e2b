import { createHash } from "node:crypto";
import type { ChargeRecord } from "@tollgate/relay/ports/charges";
import type { EndedRequests } from "../engines/engine";
import type { Notices } from "./notices";

/** An upstream that names another model in each answer must not cause a notice for each. */
const MAX_NAMES = 3;
/** Pairs of a channel and a model whose names are remembered; clients choose neither. */
const MAX_PAIRS = 5000;
/** Long enough to distinguish any two differences of a channel. */
const SUBJECT_LENGTH = 16;

interface ServedModelWatch {
  channelName(id: number): string;
  notices: Pick<Notices, "raise">;
}

/** Raises a notice when a channel's answers begin to name another model: once for each channel, model and name. */
const createWatch = ({ channelName, notices }: ServedModelWatch) => {
  /** Names noticed by this process. Others are known by the stored notices. */
  const noticed = new Map<string, Set<string>>();
  return ({ attempts, channelId: id, model, requestId }: ChargeRecord): void => {
    const { servedModel: served, isOtherModel } = attempts.at(-1) ?? {};
    if (!isOtherModel || served === undefined) return;
    const pair = `${id} ${model}`;
    const names = noticed.get(pair) ?? new Set();
    if (names.has(served) || names.size >= MAX_NAMES || noticed.size >= MAX_PAIRS) return;
    noticed.set(pair, names.add(served));
    const difference = createHash("sha256")
      .update(JSON.stringify([model, served]))
      .digest("base64url");
    notices.raise({
      event: "other-model-served",
      subject: `${id} ${difference.slice(0, SUBJECT_LENGTH)}`,
      params: { id, name: channelName(id), model, served, request: requestId },
    });
  };
};

/** Reports requests to the counters, and watches the models that their answers name. */
export const alsoWatched = (counters: EndedRequests, watch: ServedModelWatch): EndedRequests => {
  const look = createWatch(watch);
  return {
    charged(record, quota) {
      counters.charged(record, quota);
      look(record);
    },
    failed: (record) => counters.failed(record),
    lost: (record) => counters.lost(record),
  };
};
