import * as z from "zod/mini";
import { ACCEPTED, clipBytes, deliveryOf } from "../deliver";
import { defineNoticeTarget } from "../notice-target";

/** Bark on an iPhone, over its public server or one's own. */
export const bark = defineNoticeTarget({
  name: "bark",
  title: "Bark",
  fields: {
    key: { type: "secret" },
    address: { type: "url", isOptional: true, default: "https://api.day.app" },
  },
});

const answerSchema = z.object({ code: z.int(), message: z.optional(z.string()) });

/** All of a push has at most 4 KB. */
const MAX_BYTES = 2000;

/** @see https://github.com/Finb/bark-server/blob/master/docs/API_V2.md */
export const barkDelivery = deliveryOf(bark, {
  request: ({ key, address }, { title, text, link, site }) => ({
    url: `${address}/push`,
    body: JSON.stringify({
      device_key: key,
      title: clipBytes(title, 300),
      body: clipBytes(text, MAX_BYTES),
      group: clipBytes(site, 100),
      ...(link === "" ? {} : { url: link }),
    }),
  }),
  judge(answer) {
    const read = answerSchema.safeParse(answer);
    if (!read.success) return undefined;
    const { code, message = "" } = read.data;
    return code === 200 ? ACCEPTED : { kind: "refused", detail: `${code} ${message}` };
  },
});
