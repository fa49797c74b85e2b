import * as z from "zod/mini";
import { ACCEPTED, clipBytes, deliveryOf, wholeText } from "../deliver";
import { defineNoticeTarget } from "../notice-target";

/** A robot of a WeCom group, by the address that WeCom shows for it; the key in it is all that is needed. */
export const wecom = defineNoticeTarget({
  name: "wecom",
  title: "WeCom",
  fields: { address: { type: "secret-url" } },
});

const answerSchema = z.object({ errcode: z.int(), errmsg: z.optional(z.string()) });

/** More than 20 messages in a minute. */
const TOO_MANY = 45_009;
/** The service itself is busy. */
const BUSY = -1;
const MAX_BYTES = 2048;

/**
 * Plain text, not Markdown; signs that could start a mention or a link are replaced by wide ones.
 * @see https://developer.work.weixin.qq.com/document/path/91770
 */
export const wecomDelivery = deliveryOf(wecom, {
  request: ({ address }, message) => ({
    url: address,
    body: JSON.stringify({
      msgtype: "text",
      text: {
        content: clipBytes(wholeText(message).replaceAll("<", "＜").replaceAll(">", "＞"), MAX_BYTES),
      },
    }),
  }),
  judge(answer) {
    const read = answerSchema.safeParse(answer);
    if (!read.success) return undefined;
    const { errcode, errmsg = "" } = read.data;
    if (errcode === 0) return ACCEPTED;
    return {
      kind: errcode === TOO_MANY || errcode === BUSY ? "later" : "refused",
      detail: `${errcode} ${errmsg}`,
    };
  },
});
