/** What an administrator changed. Never holds a secret. */
export interface AuditRecord {
  /** Unix seconds. */
  createdAt: number;
  userId: number;
  username: string;
  address: string;
  /** "channel.update", "user.promote" … */
  action: string;
  target: string;
  /** The person whose account, money or price it concerns; undefined for none. */
  beneficiary?: { id: number; username: string } | undefined;
  /** JSON of what changed. */
  detail: string;
}
