import * as z from "zod/mini";
import { nodeAnswer } from "../answer-schemas";
import { type Calls, call, done } from "../call";

/** The processes of the installation, which one-api does not tell of. */
export const nodeCalls: Calls = {
  "GET /api/node": call({
    guard: "root",
    isUsage: true,
    data: z.array(nodeAnswer),
    answer: ({ world }) => done(world.nodes),
  }),
};
