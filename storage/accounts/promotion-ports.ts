import type { PromotionFilter, PromotionSort, PromotionUseSort } from "@tollgate/contract/api/promotions";
import type {
  NewPromotion,
  PromotionChange,
  PromotionRecord,
  PromotionUse,
} from "@tollgate/contract/records/promotion-record";
import type { ListSort } from "@tollgate/contract/resource/list-sort";

export interface PromotionQueries {
  /** One page, the newest first by default. @param keyword a code, or the beginning of a code or a name. */
  page(
    offset: number,
    limit: number,
    sort?: ListSort<PromotionSort>,
    filter?: PromotionFilter,
    keyword?: string,
  ): Promise<PromotionRecord[]>;
  /** Promotions with ids below `id`, the newest first. */
  before(id: number, limit: number, keyword?: string, filter?: PromotionFilter): Promise<PromotionRecord[]>;
  find(id: number): Promise<PromotionRecord | undefined>;
  /** @param code in capitals. */
  findCode(code: string): Promise<PromotionRecord | undefined>;
  /** Enabled activities, in the order of their ids. */
  enabledActivities(limit: number): Promise<PromotionRecord[]>;
  /** Counts uses by a user that were not returned, by promotion. */
  usesBy(userId: number): Promise<readonly { promotionId: number; uses: number }[]>;
  /** Whether a user has paid an order, or has an order that uses a promotion for first purchases. */
  hasBought(userId: number): Promise<boolean>;
  /** One page of the uses of a promotion, the newest first. */
  uses(
    promotionId: number,
    offset: number,
    limit: number,
    sort?: ListSort<PromotionUseSort>,
  ): Promise<PromotionUse[]>;
}

export interface PromotionChanges {
  /**
   * Creates all of them or none.
   * @param most promotions stored in all. @throws StorageConflict "promotion-code-taken", "promotions-too-many"
   */
  create(promotions: readonly NewPromotion[], most: number): Promise<PromotionRecord[]>;
  /** @returns undefined when there is no such promotion. */
  change(id: number, change: PromotionChange): Promise<PromotionRecord | undefined>;
  /** @returns "used" for a promotion with uses, which stays. */
  remove(id: number): Promise<"removed" | "used" | "not-found">;
  /**
   * Uses a code for a registration: counts the use and gives its bonus, all or nothing.
   * @returns the quota; 0 where it cannot be used any more.
   */
  useForRegistration(code: string, userId: number, at: number): Promise<number>;
}
