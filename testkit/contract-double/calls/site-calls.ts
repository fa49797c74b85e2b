import { changeOption } from "@tollgate/contract/api/options";
import { isSecretOption } from "@tollgate/contract/options/option-rights";
import { entryOf } from "@tollgate/contract/options/options";
import * as z from "zod/mini";
import { optionAnswer, statusAnswer } from "../answer-schemas";
import { type Calls, call, done } from "../call";

/** An option's text as the kind of value that stands in the status object. */
const toStatusValue = (before: unknown, text: string): unknown => {
  if (typeof before === "boolean") return text === "true";
  return typeof before === "number" ? Number(text) : text;
};

/** What the site says of itself, and its options. */
export const siteCalls: Calls = {
  "GET /api/status": call({ guard: "none", data: statusAnswer, answer: ({ world }) => done(world.status) }),
  "GET /api/notice": call({
    guard: "none",
    data: z.string(),
    answer: ({ world }) => done(world.texts.notice),
  }),
  "GET /api/about": call({ guard: "none", data: z.string(), answer: ({ world }) => done(world.texts.about) }),
  "GET /api/home_page_content": call({
    guard: "none",
    data: z.string(),
    answer: ({ world }) => done(world.texts.home_page_content),
  }),
  "GET /api/group": call({
    guard: "admin",
    data: z.array(z.string()),
    answer: ({ world }) => done(Object.keys(JSON.parse(world.options.GroupRatio ?? "{}") as object)),
  }),
  "GET /api/option": call({
    guard: "admin",
    data: z.array(optionAnswer),
    answer: ({ world }) =>
      done(
        Object.entries(world.options)
          .filter(([key]) => !isSecretOption(key))
          .map(([key, value]) => ({ key, value })),
      ),
  }),
  "PUT /api/option": call({
    guard: "admin",
    body: changeOption.body,
    invalidBodyStatus: 400,
    answer: ({ world, body: { key, value } }) => {
      world.options[key] = value;
      const field = entryOf(key)?.status;
      if (field !== undefined)
        Object.assign(world.status, { [field]: toStatusValue(world.status[field], value) });
      return done();
    },
  }),
};
