import { nodeSchema } from "@tollgate/contract/management/node";
import { z } from "zod/mini";
import { type Route, route } from "../route";
import type { Services } from "../services";

/** The processes of this installation; beyond the contract. */
export const nodeRoutes = ({ nodes }: Services): Route[] => [
  route({
    method: "GET",
    path: "/api/node",
    guard: "root",
    summary:
      "The nodes that share the database, with what each tells of itself; with SQLite the one there is",
    data: z.array(nodeSchema),
    answer: () => nodes.all(),
  }),
];
