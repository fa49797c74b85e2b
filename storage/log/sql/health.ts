import type { InSnapshot } from "../../sql/sql-runner";
import { wholeSum } from "../../sql/whole-sum";
import type { DAY_SECONDS, HOUR_SECONDS } from "../hours";
import type { ChannelHour, ModelHealth } from "../ports";

/** How models and channels did: from the sums by the hour, which know no users. */
export const healthReads = (inSnapshot: InSnapshot) => ({
  ofChannels: (ids: readonly number[], from: number): Promise<ChannelHour[]> =>
    inSnapshot((log) => {
      const isAsked = log.isOneOf("channel_id", ids);
      return log.all<ChannelHour>(
        `SELECT channel_id AS "channelId", hour, sum(requests) AS requests, sum(errors) AS errors, ${wholeSum("quota")} AS quota
         FROM channel_hours WHERE hour >= ? AND ${isAsked.sql} GROUP BY 1, 2 ORDER BY 1, 2`,
        from,
        ...isAsked.parameters,
      );
    }),

  ofModels: (from: number, stepSeconds: typeof HOUR_SECONDS | typeof DAY_SECONDS): Promise<ModelHealth[]> =>
    inSnapshot((log) =>
      log.all<ModelHealth>(
        `SELECT models.name AS model, hour / ${stepSeconds} * ${stepSeconds} AS time, sum(requests) AS requests,
           sum(faults) AS faults, sum(first_byte_ms) AS "firstByteMs", sum(streams) AS streams
         FROM model_hours JOIN models ON models.id = model_hours.model_id
         WHERE hour >= ? AND models.name <> '' GROUP BY 1, 2 ORDER BY 1, 2`,
        from,
      ),
    ),
});
