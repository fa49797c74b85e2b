import * as z from "zod/mini";
import { ACCEPTED, clipBytes, deliveryOf } from "../deliver";
import { defineNoticeTarget } from "../notice-target";

/** A robot of a Feishu or Lark group, by the address that is shown for it; the secret is that of its setting 签名校验. */
export const feishu = defineNoticeTarget({
  name: "feishu",
  title: "Feishu",
  fields: {
    address: { type: "secret-url" },
    secret: { type: "secret", isOptional: true },
  },
});

/** Older robots answer with the names of the second form. */
const answerSchema = z.union([
  z.object({ code: z.int(), msg: z.optional(z.string()) }),
  z.pipe(
    z.object({ StatusCode: z.int(), StatusMessage: z.optional(z.string()) }),
    z.transform(({ StatusCode, StatusMessage }) => ({ code: StatusCode, msg: StatusMessage })),
  ),
]);

/** More than 100 messages in a minute, or 5 in a second. */
const TOO_MANY = 11_232;
/** A body has at most 20 KB. */
const MAX_BYTES = 4000;

/**
 * A rich text whose parts are all plain ones: in a simple text `<at user_id="all">` would call all members.
 *
 * Signed with base64(HMAC-SHA-256(key: timestamp + "\n" + secret, over nothing)), the time in seconds.
 * @see https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
 */
export const feishuDelivery = deliveryOf(feishu, {
  request({ address, secret }, { title, text, link }, { nowMs, hmac }) {
    const timestamp = String(Math.floor(nowMs / 1000));
    const lines = [...clipBytes(text, MAX_BYTES).split("\n"), ...(link === "" ? [] : [link])];
    return {
      url: address,
      body: JSON.stringify({
        ...(secret === "" ? {} : { timestamp, sign: hmac(`${timestamp}\n${secret}`, "") }),
        msg_type: "post",
        content: {
          post: {
            zh_cn: {
              title: clipBytes(title, 500),
              content: lines.map((line) => [{ tag: "text", text: line }]),
            },
          },
        },
      }),
    };
  },
  judge(answer) {
    const read = answerSchema.safeParse(answer);
    if (!read.success) return undefined;
    const { code, msg = "" } = read.data;
    if (code === 0) return ACCEPTED;
    return { kind: code === TOO_MANY ? "later" : "refused", detail: `${code} ${msg}` };
  },
});
