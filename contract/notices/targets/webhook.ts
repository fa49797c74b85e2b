import { ACCEPTED, type DeliveryTools, deliveryOf } from "../deliver";
import { defineNoticeTarget } from "../notice-target";

/** An address of one's own. With a secret each request is signed, so that the receiver knows who sent it and when. */
export const webhook = defineNoticeTarget({
  name: "webhook",
  title: "Webhook",
  fields: {
    address: { type: "url" },
    secret: { type: "secret", isOptional: true },
  },
});

const PREFIX = "whsec_";

/** Secrets with the prefix are base64 behind it, others are taken as they are typed. */
const sign = (hmac: DeliveryTools["hmac"], secret: string, text: string): string =>
  secret.startsWith(PREFIX) ? hmac(secret.slice(PREFIX.length), text, "base64") : hmac(secret, text);

/**
 * Headers and signature are those of Standard Webhooks, for which there are libraries in most languages: HMAC-SHA-256 over
 * `id.timestamp.body` with the bytes of the body as they are sent (docs/guides/notices.md).
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const webhookDelivery = deliveryOf(webhook, {
  request({ address, secret }, { id, event, phase, title, text, link, site, at, params }, { nowMs, hmac }) {
    const body = JSON.stringify({
      type: phase === "recovered" ? `${event}.recovered` : event,
      timestamp: new Date(at * 1000).toISOString(),
      data: { title, text, link, site, ...params },
    });
    const timestamp = String(Math.floor(nowMs / 1000));
    return {
      url: address,
      headers: {
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        ...(secret === ""
          ? {}
          : { "webhook-signature": `v1,${sign(hmac, secret, `${id}.${timestamp}.${body}`)}` }),
      },
      body,
    };
  },
  // The status says it all.
  judge: () => ACCEPTED,
});
