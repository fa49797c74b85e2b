import { DEFAULT_GROUP } from "@tollgate/contract/management/group";
import { modelStatusWireSchema } from "@tollgate/contract/management/model-status";
import { isAdmin } from "@tollgate/contract/values/roles";
import { ModelStatuses } from "../model-status/model-status";
import { Failure } from "./failure";
import { type Route, readMaybeCaller, route } from "./route";
import type { Services } from "./services";

/** Whoever has no account sees what a newcomer would. */
const NEWCOMERS: readonly string[] = [DEFAULT_GROUP];

/** How models were served, for whoever may ask for them. */
export const modelStatusRoutes = (services: Services): Route[] => {
  const { channels, groupAccess, options, pricing, storage, now } = services;
  const statuses = new ModelStatuses({ health: storage.read.health, nowMs: () => now() * 1000 });
  return [
    route({
      method: "GET",
      path: "/api/model-status",
      guard: "none",
      mayRefuseGuests: true,
      summary: "How the models that the reader may use were served, from real requests: rates alone",
      data: modelStatusWireSchema,
      async answer({ request }) {
        const shown = options.text("ModelStatusPage");
        const caller = await readMaybeCaller(services, request);
        if (shown === "off") throw new Failure("model-status-off", {}, 403);
        if (shown !== "public" && !caller) throw new Failure("not-signed-in", {}, 401);
        const own = caller?.groups ?? NEWCOMERS;
        const groups =
          caller && isAdmin(caller.role) ? pricing.groups() : [...own, ...groupAccess.usableBy(own).keys()];
        return statuses.of(channels.offered(new Set(groups)));
      },
    }),
  ];
};
