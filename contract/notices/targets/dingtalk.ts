import * as z from "zod/mini";
import { ACCEPTED, clipBytes, deliveryOf, wholeText } from "../deliver";
import { defineNoticeTarget } from "../notice-target";

/** A robot of a DingTalk group, by the address that DingTalk shows for it; the secret is that of its setting 加签. */
export const dingtalk = defineNoticeTarget({
  name: "dingtalk",
  title: "DingTalk",
  fields: {
    address: { type: "secret-url" },
    secret: { type: "secret", isOptional: true },
  },
});

const answerSchema = z.object({ errcode: z.int(), errmsg: z.optional(z.string()) });

/** More than 20 messages in a minute, or the service is busy. */
const LATER = new Set([-1, 130_101, 410_100]);
/** A body has at most 20,000 bytes. */
const MAX_BYTES = 4000;

/**
 * Signed with base64(HMAC-SHA-256(secret, timestamp + "\n" + secret)), the time in milliseconds; both go with the address.
 * No member is mentioned, because `at` is empty.
 * @see https://open.dingtalk.com/document/robots/custom-robot-access and …/robots/customize-robot-security-settings
 */
export const dingtalkDelivery = deliveryOf(dingtalk, {
  request({ address, secret }, message, { nowMs, hmac }) {
    const signature = `timestamp=${nowMs}&sign=${encodeURIComponent(hmac(secret, `${nowMs}\n${secret}`))}`;
    return {
      url: secret === "" ? address : `${address}${address.includes("?") ? "&" : "?"}${signature}`,
      body: JSON.stringify({
        msgtype: "text",
        text: { content: clipBytes(wholeText(message), MAX_BYTES) },
        at: { isAtAll: false },
      }),
    };
  },
  judge(answer) {
    const read = answerSchema.safeParse(answer);
    if (!read.success) return undefined;
    const { errcode, errmsg = "" } = read.data;
    if (errcode === 0) return ACCEPTED;
    return { kind: LATER.has(errcode) ? "later" : "refused", detail: `${errcode} ${errmsg}` };
  },
});
