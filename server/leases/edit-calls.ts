import { randomUUID } from "node:crypto";
import type { BalanceEdits, EditedBalance } from "@tollgate/accounts/lease-balances";
import type { AccountLine } from "@tollgate/contract/records/account-line";
import type { BalanceEdit } from "@tollgate/contract/records/lease";
import type { Movement } from "@tollgate/contract/records/ledger-entry";
import { leaseOf, RECALL_FOR_MS } from "@tollgate/metering/leases/lease";
import type { NodeLeases } from "@tollgate/metering/leases/node-leases";
import type { Account } from "@tollgate/metering/ledger";
import type { Leases } from "@tollgate/storage/accounts/node-ports";
import { DatabaseRefused, StorageConflict } from "@tollgate/storage/errors";
import type { CommandCalls } from "./command-calls";

/** Maximum time an edit of a balance waits for the database. */
const EDIT_MS = 10_000;

interface PendingEdit {
  readonly since: number;
  readonly linesOf: (before: number, after: number) => readonly AccountLine[];
  readonly movement: Movement;
  readonly resolve: (edited: EditedBalance) => void;
  readonly reject: (error: Error) => void;
}

/** The clock of a node's leases. */
export interface LeaseClock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Called whenever the clock is looked at. */
  readonly listeners: Set<(now: number) => void>;
}

/** Edits of balances, and the callers that wait for them. */
export class EditCalls implements BalanceEdits {
  private readonly underWay = new Map<string, PendingEdit>();

  constructor(
    private readonly rules: NodeLeases,
    private readonly database: Pick<Leases, "edit" | "recall">,
    private readonly calls: CommandCalls,
    private readonly clock: LeaseClock,
  ) {}

  edit(
    account: Account,
    wanted: number,
    linesOf: (before: number, after: number) => readonly AccountLine[],
    movement: Movement,
  ): Promise<EditedBalance> {
    return new Promise((resolve, reject) => {
      const id = randomUUID();
      const now = this.clock.now();
      this.underWay.set(id, { since: now, linesOf, movement, resolve, reject });
      this.rules.edit(id, leaseOf(account).account, wanted, now);
    });
  }

  recall(account: Account): Promise<void> {
    const recalled = leaseOf(account).account;
    const { listeners } = this.clock;
    const since = this.clock.now();
    let answeredAt: number | undefined;
    return new Promise((resolve, reject) => {
      const look = (at: number): void => {
        const isOver = answeredAt !== undefined && at - answeredAt >= RECALL_FOR_MS;
        if (isOver || at - since >= EDIT_MS) {
          listeners.delete(look);
          if (isOver) resolve();
          else reject(this.silence());
          return;
        }
        this.calls.send(
          "recall",
          () => this.database.recall(recalled),
          (leased) => {
            answeredAt ??= this.clock.now();
            if (leased > 0 || !listeners.delete(look)) return;
            resolve();
          },
          { about: look },
        );
      };
      listeners.add(look);
      look(since);
    });
  }

  /** Sends an edit for the rules. */
  send(edit: BalanceEdit): void {
    const underWay = this.underWay.get(edit.id);
    if (!underWay) return;
    const { linesOf, movement } = underWay;
    this.calls.send(
      "edit",
      () => this.database.edit(edit, linesOf, movement),
      (reply) => this.rules.edited(edit, reply, this.clock.now()),
      {
        about: edit.id,
        onFailure: (error) => {
          // A retry would be refused again.
          if (error instanceof StorageConflict) this.fail(edit.id, error);
        },
      },
    );
  }

  done(id: string, edited: EditedBalance): void {
    const edit = this.underWay.get(id);
    this.underWay.delete(id);
    edit?.resolve(edited);
  }

  /** Rejects the edits that have waited for too long. */
  expire(now: number): void {
    for (const [id, { since }] of this.underWay) {
      if (now - since < EDIT_MS) break;
      this.fail(id, this.silence());
    }
  }

  /** Why nothing was answered, as far as that is known. */
  private silence(): Error {
    const { lastError } = this.calls;
    if (lastError instanceof DatabaseRefused) return lastError;
    return new Error("the database did not answer in time; whether the balance was changed is not known");
  }

  private fail(id: string, error: Error): void {
    const edit = this.underWay.get(id);
    this.underWay.delete(id);
    this.rules.forgetEdit(id);
    edit?.reject(error);
  }
}
