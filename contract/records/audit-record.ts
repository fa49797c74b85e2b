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
  /** JSON of what changed. */
  detail: string;
}
