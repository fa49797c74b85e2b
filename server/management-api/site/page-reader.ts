import type { User } from "@tollgate/accounts/users";
import { DEFAULT_GROUP } from "@tollgate/contract/management/group";
import type { FastifyRequest } from "fastify";
import { Failure } from "../failure";
import { readMaybeCaller } from "../route";
import type { Services } from "../services";

/** The pages that a site shows to all, to its users, or not at all: by their options. */
const OFF = { PricePage: "price-page-off", ModelStatusPage: "model-status-off" } as const;

/** A guest sees the same as a new user. */
const NEWCOMERS: readonly string[] = [DEFAULT_GROUP];

/** The reader of such a page. */
export interface PageReader {
  /** undefined for a guest. */
  user: User | undefined;
  groups: readonly string[];
}

/** @throws Failure where the page is not for the caller. */
export const readPageReader = async (
  services: Services,
  request: FastifyRequest,
  page: keyof typeof OFF,
): Promise<PageReader> => {
  const shown = services.options.text(page);
  const user = await readMaybeCaller(services, request);
  if (shown === "off") throw new Failure(OFF[page], {}, 403);
  if (shown !== "public" && !user) throw new Failure("not-signed-in", {}, 401);
  return { user, groups: user?.groups ?? NEWCOMERS };
};
