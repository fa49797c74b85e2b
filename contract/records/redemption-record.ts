export interface NewRedemption {
  /** Who made it, not who redeems it. */
  userId: number;
  key: string;
  name: string;
  quota: number;
  createdTime: number;
  /** Until when it may be redeemed: unix seconds; 0 or left out for ever. */
  expiresTime?: number;
  /** How many users may redeem it, each once; one where it is left out. */
  mostUses?: number;
}

/** An edit; missing fields stay as they are. */
export interface RedemptionChange {
  name?: string;
  quota?: number;
  status?: number;
  expiresTime?: number | undefined;
  mostUses?: number | undefined;
  /** The new maker of the code; undefined keeps the current one. */
  makerId?: number | undefined;
}

/** A use of a code. */
export interface RedemptionUse {
  readonly id: number;
  readonly userId: number;
  /** As the user is called now; "" for one that was deleted. */
  readonly username: string;
  /** Unix seconds. */
  readonly usedAt: number;
  readonly quota: number;
}
