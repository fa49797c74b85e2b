import * as z from "zod/mini";
import { DEFAULT_QUOTA_PER_UNIT } from "../values/quota";
import { looseBoolean, looseNumber, looseString } from "./wire";

/** The status object of contract section 1.1; every key of it is always present. */
export const statusWireSchema = z.object({
  version: z.string(),
  start_time: z.int(),
  email_verification: z.boolean(),
  github_oauth: z.boolean(),
  github_client_id: z.string(),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  wechat_qrcode: z.string(),
  wechat_login: z.boolean(),
  server_address: z.string(),
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  top_up_link: z.string(),
  chat_link: z.string(),
  quota_per_unit: z.number(),
  display_in_currency: z.boolean(),
  /** Beyond the contract, and only there where the site keeps what requests and answers say. */
  body_log: z.optional(z.boolean()),
  /** Beyond the contract, and only there while root has no password of its own. */
  setup_pending: z.optional(z.boolean()),
});
export type StatusWire = z.infer<typeof statusWireSchema>;

const statusReader = z.object({
  version: looseString,
  start_time: looseNumber,
  email_verification: looseBoolean,
  github_oauth: looseBoolean,
  github_client_id: looseString,
  system_name: looseString,
  logo: looseString,
  footer_html: looseString,
  wechat_qrcode: looseString,
  wechat_login: looseBoolean,
  server_address: looseString,
  turnstile_check: looseBoolean,
  turnstile_site_key: looseString,
  top_up_link: looseString,
  chat_link: looseString,
  quota_per_unit: looseNumber,
  display_in_currency: looseBoolean,
  body_log: looseBoolean,
  setup_pending: looseBoolean,
});

/** Reads a server's status; missing keys get neutral values, a missing or zero unit the default one. */
export const readStatus = (value: unknown): StatusWire => {
  const parsed = statusReader.safeParse(value);
  const status = parsed.success ? parsed.data : statusReader.parse({});
  return {
    ...status,
    quota_per_unit: status.quota_per_unit > 0 ? status.quota_per_unit : DEFAULT_QUOTA_PER_UNIT,
  };
};
