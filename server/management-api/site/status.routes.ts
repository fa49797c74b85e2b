import type { StatusWire } from "@tollgate/contract/management/status";
import { statusWireSchema } from "@tollgate/contract/management/status";
import { CONTRACT_VERSION } from "@tollgate/contract/version";
import { z } from "zod/mini";
import { storesBodies } from "../../state/stores-bodies";
import { type Route, route } from "../route";
import type { Services } from "../services";

/** Public status and content (contract section 1.1). */
export const statusRoutes = ({ options, rootSetup, startTime }: Services): Route[] => [
  route({
    method: "GET",
    path: "/api/status",
    guard: "none",
    summary: "The site's public settings",
    data: statusWireSchema,
    answer: (): StatusWire =>
      statusWireSchema.parse({
        version: CONTRACT_VERSION,
        start_time: startTime,
        ...options.publicValues(),
        ...(storesBodies(options) ? { body_log: true } : {}),
        ...(options.isOn("PlansEnabled") ? { plans: true } : {}),
        // Tells a stranger that the gateway is new, and gives nothing to try: the code cannot be guessed.
        ...(rootSetup.pendingUserId === undefined ? {} : { setup_pending: true }),
      }),
  }),
  route({
    method: "GET",
    path: "/api/notice",
    guard: "none",
    summary: "The notice, Markdown or HTML; empty when there is none",
    data: z.string(),
    answer: () => options.text("Notice"),
  }),
  route({
    method: "GET",
    path: "/api/about",
    guard: "none",
    summary: "The about page: Markdown, HTML or an https address",
    data: z.string(),
    answer: () => options.text("About"),
  }),
  route({
    method: "GET",
    path: "/api/home_page_content",
    guard: "none",
    summary: "The home page: Markdown, HTML or an https address",
    data: z.string(),
    answer: () => options.text("HomePageContent"),
  }),
];
