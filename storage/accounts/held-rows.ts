import { accountNumber, type LeaseCharge } from "@tollgate/contract/records/lease";
import type { Bookings, ChargedRows, ChargeEntry } from "./node-ports";

/** Interval between checks whether rows are still locked. */
const LOOK_MS = 250;

const KINDS = ["users", "tokens", "channels"] as const satisfies readonly (keyof ChargedRows)[];

/** The fields of a log entry that name the changed rows: a key without a limit also counts its use. */
export type CountedFor = Pick<ChargeEntry, "tokenId" | "channelId">;

const rowsOf = (
  { user, key }: LeaseCharge,
  { tokenId, channelId }: CountedFor,
): Readonly<Record<keyof ChargedRows, number>> => ({
  users: accountNumber(user),
  tokens: key ? accountNumber(key) : tokenId,
  channels: channelId,
});

/** Rows that another transaction keeps locked, as far as it is known: charges that change one of them are not even tried. */
export class HeldRows {
  private rows: Readonly<Record<keyof ChargedRows, ReadonlySet<number>>> = {
    users: new Set(),
    tokens: new Set(),
    channels: new Set(),
  };
  private lookedAt = Number.NEGATIVE_INFINITY;

  /** @param now monotonic milliseconds. */
  constructor(
    private readonly bookings: Pick<Bookings, "lockedOf">,
    private readonly now: () => number,
  ) {}

  get isEmpty(): boolean {
    return KINDS.every((kind) => this.rows[kind].size === 0);
  }

  /** Checks the locked rows again, unless they were checked just now. */
  async review(): Promise<void> {
    if (!this.isEmpty && this.now() - this.lookedAt >= LOOK_MS) await this.look([]);
  }

  /** Checks the rows of charges and the rows already known as locked. */
  async look(charges: readonly (readonly [LeaseCharge, CountedFor])[]): Promise<void> {
    const asked = charges.map((charge) => rowsOf(...charge));
    const idsOf = (kind: keyof ChargedRows): number[] => [
      ...new Set([...this.rows[kind], ...asked.map((rows) => rows[kind])]),
    ];
    this.lookedAt = this.now();
    const locked = await this.bookings.lockedOf({
      users: idsOf("users"),
      tokens: idsOf("tokens"),
      channels: idsOf("channels"),
    });
    this.rows = {
      users: new Set(locked.users),
      tokens: new Set(locked.tokens),
      channels: new Set(locked.channels),
    };
  }

  /** Whether a charge changes one of them. */
  holds(charge: LeaseCharge, countedFor: CountedFor): boolean {
    const rows = rowsOf(charge, countedFor);
    return KINDS.some((kind) => this.rows[kind].has(rows[kind]));
  }
}
