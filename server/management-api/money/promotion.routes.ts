import { randomBytes } from "node:crypto";
import {
  changePromotion,
  createPromotions,
  deletePromotion,
  getPromotion,
  listPromotions,
  listPromotionUses,
  MAX_ENABLED_ACTIVITIES,
  MAX_PROMOTIONS,
  PROMOTION_FILTERS,
  PROMOTION_SORTS,
  PROMOTION_USE_SORTS,
} from "@tollgate/contract/api/promotions";
import { normalCode, PROMOTION_CODE, type PromotionKind } from "@tollgate/contract/payments/promotions";
import type { NewPromotion, PromotionRecord } from "@tollgate/contract/records/promotion-record";
import { isRoot, type Role } from "@tollgate/contract/values/roles";
import { StorageConflict } from "@tollgate/storage/errors";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { implement, readFilter, readListPage } from "../route";
import type { Services } from "../services";
import { checkPromotion, NEW_PROMOTION, readPromotionSettings, shownPromotion } from "./promotion-rules";

/** Letters and digits of random codes: none looks like another one. */
const LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const RANDOM_LENGTH = 12;

const randomCode = (beginning: string): string =>
  beginning + [...randomBytes(RANDOM_LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join("");

/** Codes of a creation: the typed one, or random ones behind it. @throws Failure */
const newCodes = (kind: PromotionKind, typed: string, count: number): string[] => {
  if (kind === "activity") return [""];
  const beginning = normalCode(typed);
  const isRandom = count > 1 || beginning === "";
  const codes = isRandom ? Array.from({ length: count }, () => randomCode(beginning)) : [beginning];
  if (!codes.every((code) => PROMOTION_CODE.test(code))) throw new Failure("promotion-code-invalid");
  return codes;
};

/** An activity changes the price of every order, as root's options do. @throws Failure */
const checkMayDecide = (rank: Role, kind: PromotionKind): void => {
  if (kind === "activity" && !isRoot(rank)) throw new Failure("promotion-activity-root");
};

/** @throws Failure */
const create = async (
  { storage }: Services,
  promotions: readonly NewPromotion[],
): Promise<PromotionRecord[]> => {
  try {
    return await storage.write.promotions.create(promotions, MAX_PROMOTIONS);
  } catch (error) {
    if (!(error instanceof StorageConflict)) throw error;
    if (error.kind === "promotion-code-taken") throw new Failure("promotion-code-taken");
    if (error.kind === "promotions-too-many")
      throw new Failure("promotions-too-many", { limit: MAX_PROMOTIONS });
    throw error;
  }
};

/** @throws Failure */
const checkActivities = async ({ storage }: Services, kind: PromotionKind, id = 0): Promise<void> => {
  if (kind !== "activity") return;
  const enabled = await storage.read.promotions.enabledActivities(MAX_ENABLED_ACTIVITIES);
  if (enabled.length >= MAX_ENABLED_ACTIVITIES && !enabled.some((activity) => activity.id === id))
    throw new Failure("promotion-activities-too-many", { limit: MAX_ENABLED_ACTIVITIES });
};

/** Promotion codes and recharge activities (docs/guides/promotions.md); beyond the contract. */
export const promotionRoutes = [
  implement(listPromotions, async ({ services, query }) => {
    const found = await services.storage.read.promotions.page(
      ...readListPage(query, PROMOTION_SORTS),
      readFilter(query, PROMOTION_FILTERS),
      (query.keyword ?? "").trim(),
    );
    return found.map(shownPromotion);
  }),

  implement(getPromotion, async ({ services, params }) =>
    shownPromotion(existing(await services.storage.read.promotions.find(params.id))),
  ),

  implement(listPromotionUses, ({ services, params, query }) =>
    services.storage.read.promotions.uses(params.id, ...readListPage(query, PROMOTION_USE_SORTS)),
  ),

  implement(createPromotions, async (context) => {
    const { services, caller, body } = context;
    const { kind, code = "", count = 1, ...rest } = body;
    checkMayDecide(context.rank, kind);
    const settings = { ...NEW_PROMOTION, name: "", steps: [], ...readPromotionSettings(rest) };
    const codes = newCodes(kind, code, kind === "activity" ? 1 : count);
    const name = settings.name === "" ? (codes[0] ?? "") : settings.name;
    checkPromotion(kind, { ...settings, name });
    if (settings.isEnabled) await checkActivities(services, kind);
    const now = services.now();
    const made = await create(
      services,
      codes.map((each) => ({
        ...settings,
        name: settings.name === "" ? each : settings.name,
        kind,
        code: each,
        makerId: caller.id,
        author: caller.username,
        createdTime: now,
        updatedTime: now,
      })),
    );
    const [first] = made;
    const { name: _, ...detail } = settings;
    await audit(services, context, "promotion.create", first?.id ?? 0, {
      name,
      kind,
      count: made.length,
      ...detail,
    });
    return made.map(shownPromotion);
  }),

  implement(changePromotion, async (context) => {
    const { services, caller, params, body } = context;
    const before = existing(await services.storage.read.promotions.find(params.id));
    checkMayDecide(context.rank, before.kind);
    const change = readPromotionSettings(body);
    const after = { ...before, ...change };
    checkPromotion(before.kind, after);
    if (after.isEnabled) await checkActivities(services, before.kind, before.id);
    const changed = await services.storage.write.promotions.change(params.id, {
      ...change,
      // The last person to change a promotion becomes responsible for it.
      makerId: caller.id,
      updatedTime: services.now(),
    });
    await audit(services, context, "promotion.update", params.id, { name: before.name, ...change });
    return shownPromotion(existing(changed));
  }),

  implement(deletePromotion, async (context) => {
    const { services, params } = context;
    const { kind, name } = existing(await services.storage.read.promotions.find(params.id));
    checkMayDecide(context.rank, kind);
    const outcome = await services.storage.write.promotions.remove(params.id);
    if (outcome !== "removed") throw new Failure(outcome === "used" ? "promotion-used" : "record-not-found");
    await audit(services, context, "promotion.delete", params.id, { name });
    return undefined;
  }),
];
