import * as z from "zod/mini";
import { endpoint } from "../resource/endpoint";
import { listOf, plain } from "../resource/resource";

/* Beyond the contract: another server answers this call with 404. */

const connectTemplate = plain(
  z.object({ name: z.string(), kind: z.enum(["link", "text"]), template: z.string() }),
);

export const listConnectTemplates = endpoint({
  method: "GET",
  path: "/api/connect-templates",
  guard: "user",
  summary:
    "The site's own templates for connecting programs, with the placeholders {key}, {address} and {model}",
  data: listOf(connectTemplate),
  reads: "connect-templates",
  isRepeated: true,
});
