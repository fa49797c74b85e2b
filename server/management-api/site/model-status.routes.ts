import { getModelStatus } from "@tollgate/contract/api/model-status";
import { isAdmin } from "@tollgate/contract/values/roles";
import { ModelStatuses } from "../../model-status/model-status";
import { KeptViews } from "../../state/kept-views";
import { yieldToOthers } from "../../yield-to-others";
import { versionOf, writeKeptAnswer } from "../kept-answers";
import { implement, type KeptAnswer, type Route } from "../route";
import type { Services } from "../services";
import { type PageReader, readPageReader } from "./page-reader";

/** Recent service of models, for callers who may see it. */
export const modelStatusRoutes = (services: Services): Route[] => {
  const { channels, groupAccess, storage, now } = services;
  const statuses = new ModelStatuses({
    health: storage.read.health,
    nowMs: () => now() * 1000,
    yieldToOthers,
  });
  const kept = new KeptViews<KeptAnswer>(services);

  const make = async (groups?: ReadonlySet<string>): Promise<KeptAnswer> => {
    const data = await statuses.of(channels.offered(groups));
    return writeKeptAnswer({ data }, versionOf(data));
  };

  /** Administrators see all models on sale, others those they may use. */
  const statusFor = ({ user, groups }: PageReader): Promise<KeptAnswer> =>
    user && isAdmin(user.role)
      ? kept.of("all", () => make())
      : kept.of(`of ${groups.join(",")}`, () =>
          make(new Set([...groups, ...groupAccess.usableBy(groups).keys()])),
        );

  return [
    implement(getModelStatus, async ({ request }) =>
      statusFor(await readPageReader(services, request, "ModelStatusPage")),
    ),
  ];
};
