import type { Redemption } from "../api/redemptions";

export interface NewRedemption
  extends Pick<Redemption, "userId" | "key" | "name" | "quota" | "createdTime">,
    Partial<Pick<Redemption, "expiresTime" | "mostUses">> {}

/** An edit; missing fields stay as they are. */
export interface RedemptionChange
  extends Partial<Pick<Redemption, "name" | "quota" | "status" | "expiresTime" | "mostUses">> {
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
