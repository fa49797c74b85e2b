import { listGroups } from "@tollgate/contract/api/groups";
import { changeOption, listOptions } from "@tollgate/contract/api/options";
import { getAbout, getHomeContent, getNotice } from "@tollgate/contract/api/site-texts";
import { getStatus } from "@tollgate/contract/api/status";
import { isSecretOption } from "@tollgate/contract/options/option-rights";
import { entryOf } from "@tollgate/contract/options/options";
import * as z from "zod/mini";
import { optionAnswer, statusAnswer } from "../answer-schemas";
import { answers, type Calls, done } from "../call";

/** An option's text, converted to the type in the status object. */
const toStatusValue = (before: unknown, text: string): unknown => {
  if (typeof before === "boolean") return text === "true";
  return typeof before === "number" ? Number(text) : text;
};

/** Public information about the site, and its options. */
export const siteCalls: Calls = {
  ...answers(getStatus, { data: statusAnswer, answer: ({ world }) => done(world.status) }),
  ...answers(getNotice, {
    data: z.string(),
    answer: ({ world }) => done(world.texts.notice),
  }),
  ...answers(getAbout, { data: z.string(), answer: ({ world }) => done(world.texts.about) }),
  ...answers(getHomeContent, {
    data: z.string(),
    answer: ({ world }) => done(world.texts.home_page_content),
  }),
  ...answers(listGroups, {
    data: z.array(z.string()),
    answer: ({ world }) => done(Object.keys(JSON.parse(world.options.GroupRatio ?? "{}") as object)),
  }),
  ...answers(listOptions, {
    data: z.array(optionAnswer),
    answer: ({ world }) =>
      done(
        Object.entries(world.options)
          .filter(([key]) => !isSecretOption(key))
          .map(([key, value]) => ({ key, value })),
      ),
  }),
  ...answers(changeOption, {
    answer: ({ world, body: { key, value } }) => {
      world.options[key] = value;
      const field = entryOf(key)?.status;
      if (field !== undefined)
        Object.assign(world.status, { [field]: toStatusValue(world.status[field], value) });
      return done();
    },
  }),
};
