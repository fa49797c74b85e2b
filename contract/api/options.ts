import * as z from "zod/mini";
import { endpoint } from "../resource/endpoint";
import { text } from "../resource/fields";
import { listOf, resource, type ValueOf } from "../resource/resource";

/*
 * Site settings (contract section 1.5, where they are root's). The console shows them to administrators as well
 * (specification section 2), so these may read them and change those that give no way to take the site over.
 */

/** An option of the site; values are strings on the wire, switches are "true" and "false". */
export const option = resource({ key: text("key"), value: text("value") });
export type Option = ValueOf<typeof option>;

const optionText = z.string().check(z.maxLength(1_000_000));

export const listOptions = endpoint({
  method: "GET",
  path: "/api/option/",
  guard: "admin",
  area: "options",
  summary: "The site settings, without secrets",
  data: listOf(option),
  reads: "options",
  isRepeated: true,
});

export const changeOption = endpoint({
  method: "PUT",
  path: "/api/option/",
  guard: "admin",
  area: "options",
  summary: "Changes a site setting; with `before`, the value that was read, only if it has not changed since",
  /**
   * The value must be a JSON string (contract section 1.5). `before` is beyond the contract: the value that was read. Where it is sent,
   * an option that was changed since is left as it is, and the call is refused.
   */
  body: z.object({
    key: z.string().check(z.minLength(1), z.maxLength(64)),
    value: optionText,
    before: z.optional(optionText),
  }),
  invalidBodyStatus: 400,
  changes: ["about", "groups", "home-content", "notice", "options"],
});
