import * as z from "zod/mini";

/** A word of a notice about a budget, written in the reader's language (`budgetWords`). */
export const budgetWordSchema = z.object({
  word: z.enum([
    "day",
    "week",
    "month",
    "hours",
    "key",
    "user",
    "group",
    "refuses",
    "refusesAll",
    "replaces",
    "notifies",
    "open",
  ]),
  params: z.catch(z.record(z.string(), z.string()), {}),
});

export type BudgetWord = z.infer<typeof budgetWordSchema>;
