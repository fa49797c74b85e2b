import { setTimeout as wait } from "node:timers/promises";
import type { AccountMoney } from "@tollgate/accounts/account-money";
import type { Accounts } from "@tollgate/accounts/accounts";
import { LeaseBalances } from "@tollgate/accounts/lease-balances";
import { type AccountId, keyAccount, type LeaseRecall, userAccount } from "@tollgate/contract/records/lease";
import { createLease, isLease, type Lease, type LeasedSum } from "@tollgate/metering/leases/lease";
import type { NodeRank } from "@tollgate/relay/limits/node-share";
import type { Leases } from "@tollgate/storage/accounts/node-ports";
import type { Charging, ChargingTools, EngineSettings } from "../engines/engine";
import { LeaseCharges } from "./lease-charges";
import { LeaseRunner } from "./lease-runner";

/** Time a stopping node waits for the database to take all leases back. */
const LEAVE_MS = 10_000;
/** Time it waits for failed requests to be stored. */
const FAILURES_MS = 3000;

/** The shared database, and the receivers of reports. */
export interface LeasingSettings extends Pick<EngineSettings, "about" | "reportError" | "onMove"> {
  leases: Leases;
  /** Stores requests that failed. Both as encodeCharges gives them. */
  storeFailures(changes: string, entries: string): Promise<void>;
}

/** The lease of an account, where this node knows the account. */
const findLease = ({ users, keys }: Pick<Accounts, "users" | "keys">, id: AccountId): Lease | undefined => {
  const [kind, digits] = id.split(":");
  const number = Number(digits);
  const account = (kind === "user" ? users.find(number) : keys.findById(number))?.account;
  return account && isLease(account) ? account : undefined;
};

/** Balances on one of several nodes: memory holds only the leased part (docs/decisions/0013-leases.md). */
export const createLeasing = ({ leases, storeFailures, about, reportError, onMove }: LeasingSettings) => {
  const now = (): number => performance.now();
  let server: ChargingTools | undefined;
  const runner = new LeaseRunner(leases, {
    find: (id) => server && findLease(server.accounts, id),
    about,
    remindBelow: () => server?.options.number("QuotaRemindThreshold") ?? 0,
    onQuotaLow: (userId, left) => server?.onQuotaLow(userId, left),
    reportError,
    now,
  });
  const money: AccountMoney = {
    createAccount: (of, id, _quota, isUnlimited) =>
      createLease(of === "user" ? userAccount(id) : keyAccount(id), id, isUnlimited),
    balances: new LeaseBalances(runner, onMove),
  };
  return {
    money,
    epoch: (): number | undefined => runner.epoch,
    nodeRank: (): NodeRank => runner.nodeRank,
    leased: (): LeasedSum => runner.leased,
    recalled: (recall: LeaseRecall): void => runner.recalled(recall),
    openCharging(tools: ChargingTools): Charging {
      server = tools;
      const { options, limiter, ended } = tools;
      const charges = new LeaseCharges(runner, {
        isLogged: () => options.isOn("LogConsumeEnabled"),
        wallNow: () => tools.now(),
        now,
        storeFailures,
        onMove,
        reportError,
        limiter,
        ended,
      });
      return {
        holds: runner,
        charges,
        fault: () => (charges.isFailing ? "node-not-admitting" : undefined),
        backlog: () => charges.backlog,
        start: () => runner.start(),
        async close() {
          await runner.stop(LEAVE_MS);
          // Requests that failed cost nothing: a server that does not answer is not waited for.
          await Promise.race([charges.close(), wait(FAILURES_MS, undefined, { ref: false })]);
        },
      };
    },
  };
};
