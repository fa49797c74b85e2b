import * as z from "zod/mini";
import { ACCEPTED, clipBytes, deliveryOf, wholeText } from "../deliver";
import { defineNoticeTarget } from "../notice-target";

/** A bot, which must have been spoken to, or be a member of the chat. */
export const telegram = defineNoticeTarget({
  name: "telegram",
  title: "Telegram",
  fields: {
    // "123456:ABC-DEF…": it stands in the path of the address.
    token: { type: "secret", pattern: /^\d{1,20}:[\w-]{1,100}$/ },
    chat: { type: "text", pattern: /^(-?\d{1,20}|@\w{1,64})$/ },
    address: { type: "url", isOptional: true, default: "https://api.telegram.org" },
  },
});

const answerSchema = z.object({
  ok: z.boolean(),
  error_code: z.optional(z.int()),
  description: z.optional(z.string()),
});

/** A message has at most 4096 characters. */
const MAX_BYTES = 4000;

/**
 * Without a parse mode Telegram shows the text as it is: Markdown or HTML in names has no effect.
 * @see https://core.telegram.org/bots/api#sendmessage and #making-requests
 */
export const telegramDelivery = deliveryOf(telegram, {
  request: ({ token, chat, address }, message) => ({
    url: `${address}/bot${token}/sendMessage`,
    body: JSON.stringify({
      chat_id: chat,
      text: clipBytes(wholeText(message), MAX_BYTES),
      link_preview_options: { is_disabled: true },
    }),
  }),
  judge(answer) {
    const read = answerSchema.safeParse(answer);
    if (!read.success) return undefined;
    const { ok, error_code: code, description = "" } = read.data;
    if (ok) return ACCEPTED;
    return { kind: code === 429 ? "later" : "refused", detail: `${code ?? ""} ${description}` };
  },
});
