import type { PromotionRule } from "../payments/promotions";

/** "reserved" with an open order, "used" with its payment, "returned" when it ended without one. */
export const PROMOTION_USE_STATES = ["reserved", "used", "returned"] as const;
export type PromotionUseState = (typeof PROMOTION_USE_STATES)[number];

/** A promotion as it is stored. */
export interface PromotionRecord extends PromotionRule {
  /** Who made it, changed it or enabled it last: that person decides about its money. */
  makerId: number;
  author: string;
  createdTime: number;
  updatedTime: number;
}

/** A promotion to be stored; its use is counted by storage alone. */
export type NewPromotion = Omit<PromotionRecord, "id" | "usedCount" | "usedTotal">;

/** Settings of a promotion that can be changed later; its kind and its code stay. */
export type PromotionChange = Partial<Omit<NewPromotion, "kind" | "code" | "author" | "createdTime">> & {
  makerId: number;
  updatedTime: number;
};

/** A use of a promotion by an order, or by a registration: order 0. */
export interface PromotionUse {
  id: number;
  promotionId: number;
  userId: number;
  username: string;
  orderId: number;
  /** "" for a registration. */
  orderNumber: string;
  quota: number;
  state: PromotionUseState;
  createdTime: number;
}
