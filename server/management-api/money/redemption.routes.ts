import { randomBytes } from "node:crypto";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import {
  createRedemptionBodySchema,
  encodeRedemption,
  REDEMPTION_COUNT_MAX,
  REDEMPTION_NAME_MAX,
  type Redemption,
  type RedemptionUseWire,
  redemptionUseWireSchema,
  redemptionWireSchema,
  updateRedemptionBodySchema,
} from "@tollgate/contract/management/redemption";
import type { RedemptionChange } from "@tollgate/contract/records/redemption-record";
import { isRoot } from "@tollgate/contract/values/roles";
import { REDEMPTION_DISABLED, REDEMPTION_UNUSED } from "@tollgate/contract/values/statuses";
import { StorageConflict } from "@tollgate/storage/errors";
import { z } from "zod/mini";
import { audit } from "../audit";
import { Failure } from "../failure";
import { PAGE_PARAMETER, type Route, readInteger, readPage, route, STATUS_ONLY } from "../route";
import type { Services } from "../services";
import { MAX_RESULTS_FOR_ADMINS, truncateResults } from "../truncate-results";

const checkName = (name: string): void => {
  const length = [...name].length;
  if (length < 1 || length > REDEMPTION_NAME_MAX) throw new Failure("redemption-name-length");
};

/** Codes that add quota to an account (contract section 1.8). */
export const redemptionRoutes = (services: Services): Route[] => {
  const { storage, now } = services;

  const change = async (id: number, wanted: RedemptionChange): Promise<Redemption> => {
    try {
      return await storage.write.redemptions.change(id, wanted);
    } catch (error) {
      if (!(error instanceof StorageConflict)) throw error;
      throw new Failure(error.kind === "redemption-used" ? "redemption-is-used" : "record-not-found");
    }
  };

  /** What is over already would be a code that nobody can redeem. */
  const checkExpiry = (time: number | undefined): void => {
    if (time !== undefined && time !== 0 && time <= now()) throw new Failure("redemption-expiry-past");
  };

  return [
    route({
      method: "GET",
      path: "/api/redemption",
      guard: "admin",
      summary: "A page of the redemption codes",
      query: PAGE_PARAMETER,
      data: z.array(redemptionWireSchema),
      async answer({ query }) {
        return (await storage.read.redemptions.page(readPage(query) * PAGE_SIZE, PAGE_SIZE)).map(
          encodeRedemption,
        );
      },
    }),
    route({
      method: "GET",
      path: "/api/redemption/search",
      guard: "admin",
      summary: "Redemption codes by id or by the beginning of the name",
      query: { keyword: "An id, or how a name begins." },
      data: z.array(redemptionWireSchema),
      async answer({ query, reply }) {
        const keyword = (query.keyword ?? "").trim();
        const found = await storage.read.redemptions.search(keyword, MAX_RESULTS_FOR_ADMINS + 1);
        return truncateResults(found, MAX_RESULTS_FOR_ADMINS, reply).map(encodeRedemption);
      },
    }),
    route({
      method: "GET",
      path: "/api/redemption/:id",
      guard: "admin",
      summary: "One redemption code",
      data: redemptionWireSchema,
      async answer({ params }) {
        const redemption = await storage.read.redemptions.find(readInteger(params.id));
        if (!redemption) throw new Failure("record-not-found");
        return encodeRedemption(redemption);
      },
    }),
    route({
      method: "POST",
      path: "/api/redemption",
      guard: "admin",
      summary: "Makes redemption codes, which it answers",
      data: z.array(z.string()),
      body: createRedemptionBodySchema,
      async answer(context) {
        const { body, caller } = context;
        checkName(body.name);
        checkExpiry(body.expiresTime);
        const count = body.count ?? 1;
        if (count <= 0) throw new Failure("redemption-count-positive");
        if (count > REDEMPTION_COUNT_MAX) throw new Failure("redemption-count-max");
        const keys = Array.from({ length: count }, () => randomBytes(16).toString("hex"));
        await storage.write.redemptions.create(
          keys.map((key) => ({
            userId: caller.id,
            key,
            name: body.name,
            quota: body.quota,
            createdTime: now(),
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
      },
    }),
    route({
      method: "PUT",
      path: "/api/redemption",
      guard: "admin",
      summary: "Changes a code that is not used; with status_only only its status",
      query: STATUS_ONLY,
      data: redemptionWireSchema,
      body: updateRedemptionBodySchema,
      async answer(context) {
        const { body, query, caller } = context;
        let changed: Redemption;
        if (query.status_only !== undefined && query.status_only !== "") {
          if (body.status !== REDEMPTION_UNUSED && body.status !== REDEMPTION_DISABLED) {
            throw new Failure("status-invalid");
          }
          // An administrator who enables a code decides about it as its maker does.
          const makerId = isRoot(caller.role) ? undefined : caller.id;
          changed = await change(body.id, {
            status: body.status,
            ...(makerId === undefined ? {} : { makerId }),
          });
        } else {
          if (body.name !== undefined) checkName(body.name);
          const { name, quota, expiresTime, mostUses } = body;
          changed = await change(body.id, { name, quota, expiresTime, mostUses, makerId: caller.id });
        }
        await audit(services, context, "redemption.update", body.id, {
          name: body.name,
          quota: body.quota,
          status: changed.status,
          expired_time: body.expiresTime,
          max_uses: body.mostUses,
        });
        return encodeRedemption(changed);
      },
    }),
    route({
      method: "GET",
      path: "/api/redemption/:id/uses",
      guard: "admin",
      summary: "A page of who used a code and when, the newest first",
      query: PAGE_PARAMETER,
      data: z.array(redemptionUseWireSchema),
      async answer({ params, query }): Promise<RedemptionUseWire[]> {
        const offset = readPage(query) * PAGE_SIZE;
        const uses = await storage.read.redemptions.uses(readInteger(params.id), offset, PAGE_SIZE);
        return uses.map(({ userId, usedAt, ...use }) => ({ ...use, user_id: userId, used_time: usedAt }));
      },
    }),
    route({
      method: "DELETE",
      path: "/api/redemption/invalid",
      guard: "admin",
      summary: "Deletes all codes that are used up, disabled or expired; answers how many",
      data: z.int(),
      async answer(context) {
        const count = await storage.write.redemptions.removeDead(now());
        if (count > 0) await audit(services, context, "redemption.clear", "", { count });
        return count;
      },
    }),
    route({
      method: "DELETE",
      path: "/api/redemption/:id",
      guard: "admin",
      summary: "Deletes a redemption code",
      async answer(context) {
        const id = readInteger(context.params.id);
        if (!(await storage.write.redemptions.remove(id))) throw new Failure("record-not-found");
        await audit(services, context, "redemption.delete", id);
        return undefined;
      },
    }),
  ];
};
