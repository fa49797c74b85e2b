import { optionWireSchema, putOptionBodySchema } from "@tollgate/contract/control/option";
import { z } from "zod/mini";
import { audit } from "./audit";
import { type Route, route } from "./route";
import type { Services } from "./services";

/** Site settings (contract section 1.5). */
export const optionRoutes = (services: Services): Route[] => [
  route({
    method: "GET",
    path: "/api/option",
    guard: "root",
    summary: "The site settings, without secrets",
    data: z.array(optionWireSchema),
    handle: () => services.options.list(),
  }),
  route({
    method: "PUT",
    path: "/api/option",
    guard: "root",
    summary: "Changes a site setting",
    body: putOptionBodySchema,
    invalidBodyStatus: 400,
    async handle(context) {
      const { key, value } = context.body;
      await services.options.put(key, value);
      await audit(services, context, "option.update", key, services.options.isSecret(key) ? {} : { value });
      return undefined;
    },
  }),
];
