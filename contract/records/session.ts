/** A sign-in that lasts. */
export interface Session {
  /** Hash of the cookie's value. */
  idHash: string;
  userId: number;
  /** Unix seconds. */
  createdTime: number;
  expiresTime: number;
  /** As stored, some time after the use; 0 for one that was not used since this is kept. */
  lastUsedTime: number;
  address: string;
  userAgent: string;
}
