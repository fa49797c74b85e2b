import { randomBytes } from "node:crypto";
import {
  changeRedemption,
  createRedemptions,
  deleteDeadRedemptions,
  deleteRedemption,
  getRedemption,
  listRedemptions,
  listRedemptionUses,
  MAX_REDEMPTION_COUNT,
  MAX_REDEMPTION_NAME,
  REDEMPTION_FILTERS,
  REDEMPTION_SORTS,
  REDEMPTION_USE_SORTS,
  type Redemption,
  searchRedemptions,
  type UpdateRedemptionBody,
} from "@tollgate/contract/api/redemptions";
import type { RedemptionChange } from "@tollgate/contract/records/redemption-record";
import { isRoot } from "@tollgate/contract/values/roles";
import { REDEMPTION_DISABLED, REDEMPTION_UNUSED } from "@tollgate/contract/values/statuses";
import { StorageConflict } from "@tollgate/storage/errors";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { type Caller, implement, readFilter, readListPage } from "../route";
import type { Services } from "../services";
import { checkPresence } from "../sign-in/fresh-sign-in";
import { MAX_RESULTS_FOR_ADMINS, readFoundPart, readLimit, truncateResults } from "../truncate-results";

const checkName = (name: string): void => {
  const length = [...name].length;
  if (length < 1 || length > MAX_REDEMPTION_NAME) throw new Failure("redemption-name-length");
};

/** Refuses codes that are over before they are made. */
const checkExpiry = (time: number | undefined, now: number): void => {
  if (time !== undefined && time !== 0 && time <= now) throw new Failure("redemption-expiry-past");
};

/** @throws Failure */
const change = async ({ storage }: Services, id: number, wanted: RedemptionChange): Promise<Redemption> => {
  try {
    return await storage.write.redemptions.change(id, wanted);
  } catch (error) {
    if (!(error instanceof StorageConflict)) throw error;
    throw new Failure(error.kind === "redemption-used" ? "redemption-is-used" : "record-not-found");
  }
};

/** @throws Failure */
const changeStatus = (
  services: Services,
  { id, status }: UpdateRedemptionBody,
  caller: Caller<"admin">,
): Promise<Redemption> => {
  if (status !== REDEMPTION_UNUSED && status !== REDEMPTION_DISABLED) throw new Failure("status-invalid");
  // An administrator who enables a code becomes responsible for it, as its maker.
  return change(services, id, { status, ...(isRoot(caller.role) ? {} : { makerId: caller.id }) });
};

/** Codes that add quota to an account (contract section 1.8). */
export const redemptionRoutes = [
  implement(listRedemptions, ({ services, query }) =>
    services.storage.read.redemptions.page(
      ...readListPage(query, REDEMPTION_SORTS),
      readFilter(query, REDEMPTION_FILTERS),
    ),
  ),

  implement(searchRedemptions, async ({ services, query, reply }) => {
    const keyword = (query.keyword ?? "").trim();
    const limit = readLimit(query, MAX_RESULTS_FOR_ADMINS);
    const found = await services.storage.read.redemptions.page(
      ...readFoundPart(query, REDEMPTION_SORTS, limit),
      readFilter(query, REDEMPTION_FILTERS),
      keyword,
    );
    return truncateResults(found, limit, reply);
  }),

  implement(getRedemption, async ({ services, params }) =>
    existing(await services.storage.read.redemptions.find(params.id)),
  ),

  implement(createRedemptions, async (context) => {
    const { services, body, caller } = context;
    checkName(body.name);
    checkExpiry(body.expiresTime, services.now());
    const count = body.count ?? 1;
    if (count <= 0) throw new Failure("redemption-count-positive");
    if (count > MAX_REDEMPTION_COUNT) throw new Failure("redemption-count-max");
    const keys = Array.from({ length: count }, () => randomBytes(16).toString("hex"));
    await services.storage.write.redemptions.create(
      keys.map((key) => ({
        userId: caller.id,
        key,
        name: body.name,
        quota: body.quota,
        createdTime: services.now(),
        expiresTime: body.expiresTime ?? 0,
        mostUses: body.mostUses ?? 1,
      })),
    );
    await audit(services, context, "redemption.create", body.name, {
      quota: body.quota,
      count,
      expired_time: body.expiresTime,
      max_uses: body.mostUses,
    });
    return keys;
  }),

  implement(changeRedemption, async (context) => {
    const { services, body, query, caller, request } = context;
    const { id, name, quota, expiresTime, mostUses } = body;
    // Only what can be taken back passes in a browser that its owner left open.
    if (!query.status_only) checkPresence(services, caller, request);
    if (!query.status_only && name !== undefined) checkName(name);
    const changed = query.status_only
      ? await changeStatus(services, body, caller)
      : await change(services, id, { name, quota, expiresTime, mostUses, makerId: caller.id });
    await audit(services, context, "redemption.update", id, {
      name,
      quota,
      status: changed.status,
      expired_time: expiresTime,
      max_uses: mostUses,
    });
    return changed;
  }),

  implement(listRedemptionUses, ({ services, params, query }) =>
    services.storage.read.redemptions.uses(params.id, ...readListPage(query, REDEMPTION_USE_SORTS)),
  ),

  implement(deleteDeadRedemptions, async (context) => {
    const { storage, now } = context.services;
    const count = await storage.write.redemptions.removeDead(now());
    if (count > 0) await audit(context.services, context, "redemption.clear", "", { count });
    return count;
  }),

  implement(deleteRedemption, async (context) => {
    const { id } = context.params;
    if (!(await context.services.storage.write.redemptions.remove(id))) throw new Failure("record-not-found");
    await audit(context.services, context, "redemption.delete", id);
    return undefined;
  }),
];
