import type { AccountId, BalanceEdit, EditDone } from "@tollgate/contract/records/lease";
import { RECALL_FOR_MS, RETRY_MS } from "./lease";
import { type LeaseEffects, RESEND_MS } from "./lease-effects";

interface PendingEdit {
  edit: BalanceEdit;
  readonly recallUntil: number;
  sentAt: number | undefined;
  nextTryAt: number;
}

/** One node's edits of balances that are not done yet: sent until they are, while other nodes return quota. */
export class PendingEdits {
  private readonly edits = new Map<string, PendingEdit>();

  constructor(private readonly effects: Pick<LeaseEffects, "edit" | "editDone">) {}

  get isEmpty(): boolean {
    return this.edits.size === 0;
  }

  /** @param id permanent identifier of this edit. @param wanted the new balance, leased or not. */
  add(id: string, account: AccountId, wanted: number, now: number): void {
    const edit = { id, account, wanted, isLast: false };
    this.edits.set(id, { edit, recallUntil: now + RECALL_FOR_MS, sentAt: undefined, nextTryAt: now });
    this.send(now);
  }

  /** Gives an edit up; whether it was done is not known. */
  forget(id: string): void {
    this.edits.delete(id);
  }

  /** Sends the edits that are due. */
  send(now: number): void {
    for (const pending of this.edits.values()) {
      const isUnderWay = pending.sentAt !== undefined && now - pending.sentAt < RESEND_MS;
      if (isUnderWay || now < pending.nextTryAt) continue;
      if (now >= pending.recallUntil) pending.edit = { ...pending.edit, isLast: true };
      pending.sentAt = now;
      this.effects.edit(pending.edit);
    }
  }

  edited({ id, isLast }: BalanceEdit, { moved, balance }: EditDone, now: number): void {
    const pending = this.edits.get(id);
    if (!pending) return;
    if (moved !== undefined) {
      this.edits.delete(id);
      this.effects.editDone(id, moved, balance);
    } else if (isLast === pending.edit.isLast) {
      pending.sentAt = undefined;
      pending.nextTryAt = now + RETRY_MS;
    }
  }
}
