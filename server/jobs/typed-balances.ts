import { balanceOf } from "@tollgate/contract/api/channels";
import type { ChannelQueries } from "@tollgate/storage/accounts/site-ports";
import type { Notices } from "../notices/notices";
import type { Options } from "../state/options";
import type { Job } from "./start-job";

const EVERY_MS = 30_000;

/** Checks the typed-in, counted-down balances of channels, and notifies the site of low ones. */
export const watchingTypedBalances = (
  read: Pick<ChannelQueries, "typed">,
  options: Pick<Options, "number">,
  notices: Pick<Notices, "raise">,
): Job => ({
  name: "watching-typed-balances",
  everyMs: EVERY_MS,
  async run() {
    const threshold = options.number("UpstreamBalanceThreshold");
    for (const channel of await read.typed()) {
      const { id, name } = channel;
      const balance = balanceOf(channel, options.number("QuotaPerUnit"));
      if (balance < threshold)
        notices.raise({
          event: "upstream-balance-low",
          subject: id,
          params: { id, name, balance, threshold },
        });
    }
  },
});
