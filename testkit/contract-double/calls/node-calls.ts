import { listNodes } from "@tollgate/contract/api/nodes";
import * as z from "zod/mini";
import { nodeAnswer } from "../answer-schemas";
import { answers, type Calls, done } from "../call";

/** The processes of the installation, which one-api does not report. */
export const nodeCalls: Calls = {
  ...answers(listNodes, {
    isUsage: true,
    data: z.array(nodeAnswer),
    answer: ({ world }) => done(world.nodes),
  }),
};
