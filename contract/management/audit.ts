import * as z from "zod/mini";

/** A line of the audit log, as /api/audit answers it. */
export const auditWireSchema = z.object({
  id: z.int(),
  created_at: z.int(),
  user_id: z.int(),
  username: z.string(),
  address: z.string(),
  action: z.string(),
  target: z.string(),
  /** The person whose account, money or price it concerns; 0 and "" for none. */
  beneficiary_id: z.int(),
  beneficiary: z.string(),
  detail: z.string(),
});
export type AuditWire = z.infer<typeof auditWireSchema>;
