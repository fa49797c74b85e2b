export interface NewRedemption {
  /** Who made it, not who redeems it. */
  userId: number;
  key: string;
  name: string;
  quota: number;
  createdTime: number;
}

/** What an edit writes; what is left out stays as it is. */
export interface RedemptionChange {
  name?: string;
  quota?: number;
  status?: number;
}
