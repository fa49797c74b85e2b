import * as z from "zod/mini";
import { ACCEPTED, deliveryOf } from "../deliver";
import { defineNoticeTarget, HEADER_SAFE } from "../notice-target";

/** A Gotify server; the token is that of one of its applications. */
export const gotify = defineNoticeTarget({
  name: "gotify",
  title: "Gotify",
  fields: {
    address: { type: "url" },
    token: { type: "secret", pattern: HEADER_SAFE },
  },
});

/** Above 3 phones make a sound. */
const PRIORITY = 5;

/** @see https://gotify.net/api-docs#/message/createMessage and https://gotify.net/docs/msgextras */
export const gotifyDelivery = deliveryOf(gotify, {
  request: ({ address, token }, { title, text, link }) => ({
    url: `${address}/message`,
    headers: { "x-gotify-key": token },
    body: JSON.stringify({
      title,
      message: link === "" ? text : `${text}\n${link}`,
      priority: PRIORITY,
      extras: { "client::display": { contentType: "text/plain" } },
    }),
  }),
  judge: (answer) => (z.object({ id: z.int() }).safeParse(answer).success ? ACCEPTED : undefined),
});
