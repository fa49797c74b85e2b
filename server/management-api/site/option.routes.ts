import type { IncomingMessage } from "node:http";
import {
  decidesAccess,
  isSecretOption,
  mayChangeOption,
  optionWireSchema,
  putOptionBodySchema,
} from "@tollgate/contract/management/option";
import { declares, isOptionKey } from "@tollgate/contract/options/options";
import { isRoot } from "@tollgate/contract/values/roles";
import { z } from "zod/mini";
import { audit } from "../audit";
import { Failure } from "../failure";
import { type Route, route } from "../route";
import type { Services } from "../services";
import { hasSession } from "../sign-in/fresh-sign-in";

const isPicture = (key: string): boolean => isOptionKey(key) && declares(key, "isPicture");

/** Whether the console that calls came over HTTPS, as its browser or a named proxy says: it draws no plain pictures. */
const isPageHttps = (request: IncomingMessage, { addresses }: Services): boolean =>
  addresses.isHttps(request) || request.headers.origin?.startsWith("https:") === true;

/**
 * Site settings (contract section 1.5, where they are root's). The console shows them to administrators as well
 * (specification section 2), so these may read them and change those that nobody can take the site over with.
 */
export const optionRoutes = (services: Services): Route[] => [
  route({
    method: "GET",
    path: "/api/option",
    guard: "admin",
    summary: "The site settings, without secrets",
    data: z.array(optionWireSchema),
    answer({ caller }) {
      const options = services.options.list();
      return isRoot(caller.role) ? options : options.filter(({ key }) => isOptionKey(key));
    },
  }),
  route({
    method: "PUT",
    path: "/api/option",
    guard: "admin",
    summary:
      "Changes a site setting; with `before`, the value that was read, only where nobody has changed it since",
    body: putOptionBodySchema,
    invalidBodyStatus: 400,
    async answer(context) {
      const { key, value, before } = context.body;
      if (!mayChangeOption(context.caller.role, key)) throw new Failure("option-root-only", { key });
      if (isPicture(key) && /^http:/i.test(value.trim()) && isPageHttps(context.request.raw, services))
        throw new Failure("option-picture-plain", { key });
      if (decidesAccess(key) && !hasSession(services, context.caller, context.request))
        throw new Failure("option-needs-session", { key });
      // A secret is not told, and a comparison would tell it.
      if (before !== undefined && isSecretOption(key)) throw new Failure("invalid-parameter", {}, 400);
      await services.options.put(key, value, before);
      await audit(services, context, "option.update", key, isSecretOption(key) ? {} : { value });
      return undefined;
    },
  }),
];
